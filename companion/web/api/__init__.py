"""For other programs: what is played as JSON, as a stream of events, sent out, and laid over a video stream."""
