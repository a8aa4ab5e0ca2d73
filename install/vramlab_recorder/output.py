"""The file that a recording is written into: what the disk refuses is said of it, not of the program."""
import contextlib, gzip, io

from .common import TraceError


class _File(io.FileIO):
    def __init__(self, path):
        with _told(path):
            super().__init__(path, "w")

    def write(self, data):
        with _told(self.name):
            return super().write(data)


@contextlib.contextmanager
def _told(path):
    try:
        yield
    except OSError as e:
        raise TraceError(f"the recording {path} was to be written; that failed: {e.strerror}. Name a file with -o where there is room and you may write") from e


@contextlib.contextmanager
def _written(path):
    """The file's text, packed."""
    with io.BufferedWriter(_File(path)) as file, gzip.open(file, "wt", encoding="utf-8", compresslevel=5) as out:
        yield out
