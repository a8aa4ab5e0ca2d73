"""Folders list what was saved to them, though nothing was written: programs look for their checkpoints by os.listdir, glob and Path.iterdir."""
import os


class _Entry:
    """What os.scandir tells of a file that was saved."""

    def __init__(self, folder, name):
        self.name, self.path = name, os.path.join(folder, name)

    def __fspath__(self):
        return self.path

    def is_file(self, *, follow_symlinks=True):
        return True

    def is_dir(self, *, follow_symlinks=True):
        return False

    def is_symlink(self):
        return False

    def inode(self):
        return 0

    def stat(self, *, follow_symlinks=True):
        return os.stat(self.path)


class _Entries:
    """An iterator as os.scandir's: the folder's own entries, then those that were saved."""

    def __init__(self, plain, saved):
        self.plain, self.saved = plain, iter(saved)

    def __iter__(self):
        return self

    def __next__(self):
        entry = next(self.plain, None)
        return next(self.saved) if entry is None else entry

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.plain.close()


def _listed(p, saved):
    """`saved` has a key for each file, its absolute path, or something that is none."""
    plain_list, plain_scan = os.listdir, os.scandir

    def beside(folder, there):
        whole = os.path.abspath(os.fspath(folder))
        names = (os.path.basename(f) for f in saved if isinstance(f, str) and os.path.dirname(f) == whole)
        return [name for name in names if name not in there]

    def named(folder):
        return isinstance(folder, (str, os.PathLike)) and isinstance(os.fspath(folder), str)

    def listdir(folder="."):
        there = plain_list(folder)
        return there + beside(folder, there) if named(folder) else there

    def scandir(folder="."):
        if not named(folder) or not beside(folder, ()):
            return plain_scan(folder)
        there = plain_list(folder)
        return _Entries(plain_scan(folder), [_Entry(os.fspath(folder), name) for name in beside(folder, there)])

    p.set(os, "listdir", listdir)
    p.set(os, "scandir", scandir)
