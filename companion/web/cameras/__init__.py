"""The pages of cameras: calibration, a phone as the camera."""
