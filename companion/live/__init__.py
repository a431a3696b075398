"""The live table: sources of frames, when the table rests, and what follows from each settled state.

source = open_source("0")                       a camera, a stream, a film, photos, the demo
follower = Follower(profile)                    frames in, settled states out
Session(source, follower).start()               both, in a thread, for a page
"""

import os

LOG_LEVEL, SILENT = "OPENCV_LOG_LEVEL", "FATAL"

# Read by OpenCV when a camera or stream is opened; a person's own settings win.
os.environ.setdefault("OPENCV_VIDEOIO_MSMF_ENABLE_HW_TRANSFORMS", "0")  # Windows: cameras open in 1 s, not 20
os.environ.setdefault("OPENCV_AVFOUNDATION_SKIP_AUTH", "1")  # macOS: permission cannot be asked for in a thread
os.environ.setdefault("OPENCV_FFMPEG_CAPTURE_OPTIONS", "rtsp_transport;tcp")
os.environ.setdefault(LOG_LEVEL, SILENT)  # what is wrong with a source is said in words, once
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
