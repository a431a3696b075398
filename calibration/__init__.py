"""Making the profiles that vision takes: sheets, colors, cards, the camera."""
