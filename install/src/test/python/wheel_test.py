"""What install/dist writes and what its wheel does at a start, without building anything: python wheel_test.py"""
import base64
import hashlib
import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import types
import unittest
import zipfile
from unittest import mock

INSTALL = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(INSTALL / "packaging"), str(INSTALL / "python")]

import jars  # noqa: E402
import version  # noqa: E402
from vramlab_kernel import Trouble, java, startup  # noqa: E402
from wheel import Wheel  # noqa: E402


class WheelTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def test_every_file_is_in_the_record_with_its_digest(self):
        tree = self.folder / "tree"
        tree.mkdir()
        (tree / "program").write_bytes(b"#!/bin/sh\n")
        (tree / "program").chmod(0o755)
        (tree / "link").symlink_to("program")
        wheel = Wheel(self.folder, "a-name", "1.0", "py3-none-any")
        wheel.add_tree(tree, "there")
        with zipfile.ZipFile(wheel.close(tree / "program")) as written:
            self.assertEqual("a_name-1.0-py3-none-any.whl", pathlib.Path(written.filename).name)
            record = dict(line.split(",", 1) for line in written.read("a_name-1.0.dist-info/RECORD").decode().splitlines())
            self.assertEqual(set(written.namelist()), set(record))
            for name in set(record) - {"a_name-1.0.dist-info/RECORD"}:
                content = written.read(name)
                digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                self.assertEqual("sha256=%s,%d" % (digest, len(content)), record[name])
            for name in ("there/program", "there/link"):  # a link is packed as what it shows
                self.assertEqual(b"#!/bin/sh\n", written.read(name))
                self.assertTrue(stat.S_IXUSR & (written.getinfo(name).external_attr >> 16))


class VersionTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = pathlib.Path(temporary.name)
        (self.root / "pom.xml").write_text("<project><version>0.1.0</version></project>")

    def git(self, *arguments, date="2026-11-26T21:03:00+01:00"):
        who = {"GIT_%s_%s" % (each, what): "a@b" for each in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        subprocess.run(["git", "-C", str(self.root), *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       env={**os.environ, **who, "GIT_COMMITTER_DATE": date, "GIT_AUTHOR_DATE": date})

    def commit(self, **date):
        self.git("add", "pom.xml")
        self.git("commit", "--allow-empty", "-m", "x", **date)

    def test_a_later_commit_has_a_later_version_and_the_tag_the_last(self):
        self.git("init")
        self.commit()
        self.assertEqual("0.1.0.dev20261126200300", version.of(self.root))  # 21:03 in Paris
        self.commit(date="2026-11-27T00:00:00+00:00")
        self.assertEqual("0.1.0.dev20261127000000", version.of(self.root))
        self.git("tag", "v0.1.0")
        self.assertEqual("0.1.0", version.of(self.root))

    def test_of_a_tree_that_was_changed_the_change_counts(self):
        self.git("init")
        self.commit()
        (self.root / "pom.xml").write_text("<project><version>0.2.0</version></project>")
        os.utime(self.root / "pom.xml", (1795776000, 1795776000))  # 2026-11-27 10:40:00 UTC
        self.assertEqual("0.2.0.dev20261127104000", version.of(self.root))

    def test_without_git_what_was_built_says_when(self):
        built = self.root / "install/target/vramlab"
        built.mkdir(parents=True)
        (built / "vramlab.jar").write_bytes(b"")
        os.utime(self.root / "pom.xml", (1, 1))
        os.utime(built / "vramlab.jar", (1795776000, 1795776000))
        self.assertEqual("0.1.0.dev20261127104000", version.of(self.root))


class TrimTest(unittest.TestCase):
    def setUp(self):
        self.needs = {"tech.tablesaw.Column": {"it.unimi.dsi.fastutil.ints.IntSet"}, "it.unimi.dsi.fastutil.ints.IntSet": {"it.unimi.dsi.fastutil.Hash"},
                      "it.unimi.dsi.fastutil.bytes.ByteSet": {"it.unimi.dsi.fastutil.Hash"}, "io.vramlab.device.internal.cuda.CudaMemory": {"jcuda.driver.JCudaDriver"},
                      "jcuda.driver.JCudaDriver": {"jcuda.runtime.JCuda"}}

    def stays(self, jar, entry):
        classes = types.SimpleNamespace(needs=self.needs, reach=lambda start: reach(self.needs, start))
        return jars.trim([pathlib.Path(jar)], classes)[pathlib.Path(jar)](entry)

    def test_of_fastutil_what_others_name_stays_and_what_that_names(self):
        for entry, expected in (("ints/IntSet.class", True), ("Hash.class", True), ("bytes/ByteSet.class", False)):
            self.assertEqual(expected, self.stays("fastutil-8.jar", "it/unimi/dsi/fastutil/" + entry))
        self.assertTrue(self.stays("fastutil-8.jar", "META-INF/MANIFEST.MF"))

    def test_of_the_natives_what_our_classes_load_stays(self):
        for entry, expected in (("lib/libJCudaDriver-12.6.0-linux-x86_64.so", True), ("lib/libJCudaRuntime-12.6.0-linux-x86_64.so", False),
                                ("lib/JNvrtc-12.6.0-windows-x86_64.dll", False), ("META-INF/MANIFEST.MF", True)):
            self.assertEqual(expected, self.stays("jcuda-natives-12-linux-x86_64.jar", entry))
        self.needs["io.vramlab.device.internal.cuda.CudaMemory"].add("jcuda.runtime.JCuda")
        self.assertTrue(self.stays("jcuda-natives-12-linux-x86_64.jar", "lib/libJCudaRuntime-12.6.0-linux-x86_64.so"))

    def test_jars_that_are_not_understood_go_in_as_they_are(self):
        self.assertEqual({}, jars.trim([pathlib.Path("guava-33.jar")], types.SimpleNamespace(needs={}, reach=lambda start: set(start))))


def reach(needs, start):
    from classes import Classes

    bare = Classes.__new__(Classes)
    bare.needs = needs
    return bare.reach(start)


class StartTest(unittest.TestCase):
    """An installation with a JDK of the wheel, made of a few files."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.home = self.folder / "jdk"
        (self.home / "lib").mkdir(parents=True)
        (self.home / "release").write_text('JAVA_VERSION="25"')
        place = self.folder / "vramlab_kernel"
        (place / "jars").mkdir(parents=True)
        (place / "jars" / "vramlab.jar").write_bytes(b"jar")
        (place / "jvm-flags.txt").write_text("-XX:+UseSerialGC\n-XX:CompilerDirectivesFile={jars}/directives.json\n")
        for module in (startup, java):
            self.put(module, "FOLDER", place)
            self.put(module, "JARS", place / "jars")
        environment = {"XDG_CACHE_HOME": str(self.folder / "cache"), "HOME": str(self.folder), "VRAMLAB_JDK_FOLDERS": str(self.folder / "none"),
                       "PATH": str(self.programs()), "VRAMLAB_JAVA_HOME": "", "JAVA25_HOME": "", "JAVA_HOME": ""}
        for patch in (mock.patch.dict(os.environ, environment), mock.patch.dict(sys.modules, {"vramlab_jdk": None})):
            patch.start()
            self.addCleanup(patch.stop)
        shutil.copy(INSTALL / "find-jdk", place)
        self.place = place

    def programs(self):
        """What find-jdk runs, and no java."""
        folder = self.folder / "bin"
        folder.mkdir()
        for name in ("sh", "sed", "head", "cat", "readlink"):
            (folder / name).symlink_to(shutil.which(name))
        return folder

    def put(self, module, name, value):
        self.addCleanup(setattr, module, name, getattr(module, name))
        setattr(module, name, value)

    def made(self):
        (self.place / startup.CACHE).write_bytes(b"cache")
        (self.place / startup.STATE).write_text(json.dumps({"made": startup.state(self.home)}))

    def test_the_empty_files_of_a_fresh_wheel_are_no_cache(self):
        (self.place / startup.CACHE).write_bytes(b"")
        (self.place / startup.STATE).write_bytes(b"")
        self.assertIsNone(startup.cache(self.home))

    def test_a_cache_serves_until_the_jdk_or_a_jar_changes(self):
        self.made()
        self.assertEqual(self.place / startup.CACHE, startup.cache(self.home))
        (self.home / "release").write_text('JAVA_VERSION="25.0.1"')
        self.assertIsNone(startup.cache(self.home))
        self.made()
        (self.place / "jars" / "vramlab.jar").write_bytes(b"another jar")
        self.assertIsNone(startup.cache(self.home))

    def test_removing_leaves_the_empty_files_that_pip_knows(self):
        self.made()
        startup.remove()
        self.assertEqual([b"", b""], [(self.place / name).read_bytes() for name in (startup.CACHE, startup.STATE)])

    def test_a_cache_that_cannot_be_made_is_told_in_three_lines_and_nothing_is_left(self):
        (self.place / startup.CACHE).write_bytes(b"")
        (self.place / startup.STATE).write_bytes(b"")
        (self.home / "bin").mkdir()
        program = self.home / "bin" / "java"
        program.write_text("#!/bin/sh\nfor last; do :; done\necho part > \"$last.config\"\necho no memory\nexit 1\n")
        program.chmod(0o755)
        with self.assertRaisesRegex(Trouble, "was to be made.*\nThat failed: no memory\nThe kernel runs without"):
            startup.make(self.home)
        self.assertEqual({"jars", "jvm-flags.txt", "find-jdk", startup.CACHE, startup.STATE}, {each.name for each in self.place.iterdir()})
        self.assertIsNone(startup.cache(self.home))
        self.assertIn("failed", startup.recorded(self.place))
        with mock.patch.object(os, "fork", side_effect=AssertionError("tried at each start")):
            startup.make_later(self.home)

    def test_flags_name_the_jars_where_they_are(self):
        self.assertEqual(["-XX:+UseSerialGC", "-XX:CompilerDirectivesFile=%s/directives.json" % (self.place / "jars")], java.flags())

    def test_a_command_is_started_by_the_script_of_the_wheel(self):
        home, cache = str(self.home), str(startup.own_folder() / "commands")
        self.assertEqual(["sh", str(self.place / "start"), home, str(java.JAR), cache, "vramlab", "plan", "a b"],
                         java.typed(self.home, ["plan", "a b"], startup.command_caches()))
        with mock.patch.dict(os.environ, {"VRAMLAB_START_UP_CACHE": "off"}):
            self.assertIsNone(startup.command_caches())

    def test_a_command_line_is_looked_for_on_the_path(self):
        # forked, since what becomes another program does not come back
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.dup2(write, 1)
            try:
                java.become(["sh", "-c", "echo $1", "sh", "said"])
            finally:
                os._exit(9)
        os.close(write)
        with os.fdopen(read) as said:
            self.assertEqual("said\n", said.read())
        self.assertEqual(0, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))

    def test_without_any_java_three_lines_tell_what_to_do(self):
        with self.assertRaises(Trouble) as missing:
            java.jdk()
        lines = str(missing.exception).split("\n")
        self.assertEqual(3, len(lines))
        self.assertIn("pip install FOLDER/vramlab_jdk-", lines[2])

    def test_the_jdk_of_the_machine_serves_too_and_the_variable_decides(self):
        own = self.folder / "none" / "mine"
        (own / "bin").mkdir(parents=True)
        (own / "release").write_text('JAVA_VERSION="25.0.9"\n')
        for name in ("java", "javac"):
            (own / "bin" / name).write_text("")
            (own / "bin" / name).chmod(0o755)
        self.assertEqual(own, java.jdk())
        with mock.patch.dict(sys.modules, {"vramlab_jdk": types.SimpleNamespace(HOME=self.home)}):
            self.assertEqual(self.home, java.jdk())
            with mock.patch.dict(os.environ, {"VRAMLAB_JAVA_HOME": str(own)}):
                self.assertEqual(own, java.jdk())


if __name__ == "__main__":
    unittest.main()
