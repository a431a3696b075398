"""What can be wrong with a photo."""

from common.messages import InputError


class PhotoError(InputError):
    """A photo that cannot be read, and why."""
