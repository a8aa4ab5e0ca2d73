"""Makes the JDK of the wheel vramlab-jdk with jlink."""
import re
import shutil
import subprocess

# All of Java SE is for what people write in cells. Then the compiler and JShell, the Vector API; the agent's attach; jars as file systems;
# what the jars of libraries name; HTTPS; and jcmd, jfr and jar for those who look what a kernel does.
MODULES = ("java.se jdk.compiler jdk.jshell jdk.incubator.vector jdk.management jdk.attach jdk.zipfs jdk.unsupported jdk.crypto.ec jdk.net "
           "jdk.httpserver jdk.jartool jdk.jcmd jdk.jfr").split()
LEFT_OUT = "**/ct.sym"  # 11 MB for javac --release of older Javas, which no cell uses
GLIBC = re.compile(rb"GLIBC_2\.(\d+)")


def needed(jdk, jars):
    """The modules that jars name."""
    out = subprocess.run([str(jdk / "bin" / "jdeps"), "--ignore-missing-deps", "--print-module-deps", "--multi-release", "25", *map(str, jars)],
                         check=True, stdout=subprocess.PIPE, text=True).stdout
    return set(out.strip().split(","))


def release(home):
    """What a JDK says of itself: JAVA_VERSION, MODULES and more."""
    return dict(re.findall(r'^(\w+)="(.*)"$', (home / "release").read_text(encoding="utf-8"), re.M))


def link(jdk, jmods, target):
    """A JDK of MODULES; of another platform when the jmods are, which must be of the very version of jdk."""
    if target.exists():
        shutil.rmtree(target)
    path = ["--module-path", str(jmods)] if jmods else []
    # not compressed: in the wheel all of it is at once, and better, and the JVM reads it faster
    subprocess.run([str(jdk / "bin" / "jlink"), *path, "--add-modules", ",".join(MODULES), "--no-header-files", "--no-man-pages",
                    "--exclude-files", LEFT_OUT, "--compress", "zip-0", "--output", str(target)], check=True)


def platform(home):
    """The wheel's platform for a JDK of this machine: with the C library that its libraries ask for."""
    machine = {"amd64": "x86_64"}.get(release(home).get("OS_ARCH"), release(home).get("OS_ARCH"))
    if release(home).get("OS_NAME") != "Linux" or release(home).get("LIBC") != "gnu":
        raise SystemExit("dist: name the wheel's platform with --platform, for instance macosx_11_0_arm64, win_amd64 or musllinux_1_2_x86_64")
    asked = [int(minor) for library in home.rglob("*.so") for minor in GLIBC.findall(library.read_bytes())]
    return "manylinux_2_%d_%s" % (max([17, *asked]), machine)
