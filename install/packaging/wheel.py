"""Writes wheels: zip files with a list of what is in them (PyPA's "binary distribution format").

With the standard library alone: the build tools of PyPI want a Python project and a network, and what goes in here is made by Maven and jlink.
"""
import base64
import hashlib
import pathlib
import zipfile

TIME = (2026, 11, 20, 0, 0, 0)  # the same input makes the same bytes


class Wheel:
    """A wheel that is being written.

    folder: where to; name, version: of the package; tag: for which platforms, such as py3-none-any.
    """

    def __init__(self, folder, name, version, tag):
        stem = "%s-%s" % (name.replace("-", "_"), version)
        self.file = pathlib.Path(folder, "%s-%s.whl" % (stem, tag))
        self.info = stem + ".dist-info"
        self.data = stem + ".data"
        self.tag = tag
        self.metadata = ["Metadata-Version: 2.1", "Name: " + name, "Version: " + version]
        self.record = []
        self.zip = zipfile.ZipFile(self.file, "w", zipfile.ZIP_DEFLATED, compresslevel=9)

    def add(self, path, content, executable=False):
        entry = zipfile.ZipInfo(str(path), TIME)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o100755 if executable else 0o100644) << 16  # pip sets the bit that lets a program run
        self.zip.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.record.append("%s,sha256=%s,%d" % (path, digest, len(content)))

    def add_tree(self, folder, inside):
        """All files of a folder; wheels know no links, so what a link shows is packed."""
        for each in sorted(folder.rglob("*")):
            if each.is_file() and "__pycache__" not in each.parts:
                self.add(pathlib.PurePosixPath(inside, *each.relative_to(folder).parts), each.read_bytes(), bool(each.stat().st_mode & 0o100))

    def close(self, licence):
        self.add(self.info + "/licenses/LICENSE", licence.read_bytes())
        self.add(self.info + "/METADATA", ("\n".join(self.metadata) + "\n").encode())
        pure = "true" if self.tag.endswith("-any") else "false"
        self.add(self.info + "/WHEEL", ("Wheel-Version: 1.0\nGenerator: vramlab\nRoot-Is-Purelib: %s\nTag: %s\n" % (pure, self.tag)).encode())
        name = self.info + "/RECORD"
        self.zip.writestr(zipfile.ZipInfo(name, TIME), "\n".join([*self.record, name + ",,"]) + "\n")
        self.zip.close()
        return self.file
