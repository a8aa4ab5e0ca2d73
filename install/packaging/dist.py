"""What install/dist makes; see there."""
import argparse
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

import jars
import jdk as jdks
import version as versions
from classes import Classes
from wheel import TIME, Wheel

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FLAGS = "jvm-flags.txt"


def say(text):
    print("dist: " + text, flush=True)


def version():
    return re.search(r"<version>(.*)</version>", (ROOT / "pom.xml").read_text(encoding="utf-8"))[1]


def installed(java, work):
    """The distribution and the kernel.json that vramlab install makes: which jars there are, and which flags, is said there alone."""
    subprocess.run([str(java), "-jar", str(ROOT / "install/target/vramlab/vramlab.jar"), "install", "--no-aot", "--prefix", str(work)],
                   check=True, stdout=subprocess.DEVNULL)
    spec = work / "share/jupyter/kernels/vramlab"
    kernel = json.loads((spec / "kernel.json").read_text(encoding="utf-8"))
    return pathlib.Path(kernel["metadata"]["vramlab"]["distribution"]), spec, kernel


def recorder():
    """What records a PyTorch program for vramlab plan (python -m vramlab_trace): its command, what lies beside it, and their package. No other list names them."""
    here = ROOT / "install"
    return sorted(file.relative_to(here).as_posix() for pattern in ("vramlab_*.py", "vramlab_recorder/*.py") for file in here.glob(pattern))


def trimmed(jdk, distribution, target):
    """Copies the distribution without what nothing reaches, and makes sure that nothing is missing that was there."""
    names = (distribution / "installed.txt").read_text(encoding="utf-8").split("\n")
    files = [distribution / name for name in names if name and name != "in-use" and name != "installed.txt"]
    all_jars = [file for file in files if file.suffix == ".jar"]
    before = Classes(jdk, filter(jars.is_code, all_jars))
    tests = jars.trim(all_jars, before)
    for file in files:
        copy = target / file.relative_to(distribution)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if file in tests:
            jars.write(file, copy, tests[file])
            say("%-45s %5.1f of %5.1f MB" % (copy.name, copy.stat().st_size / 1e6, file.stat().st_size / 1e6))
        else:
            shutil.copyfile(file, copy)
    after = Classes(jdk, filter(jars.is_code, target.rglob("*.jar")))
    lost = after.missing - before.missing
    if lost:
        raise SystemExit("dist: the trimmed jars lack what they name: " + ", ".join("%s -> %s" % pair for pair in sorted(lost)[:10]))
    say("nothing that the jars name is missing (%d classes looked at, %d left out)" % (len(before.needs), len(before.needs) - len(after.needs)))
    return sorted(filter(jars.is_code, target.rglob("*.jar")))


def kernel_wheel(folder, distribution, spec, kernel, original):
    wheel = Wheel(folder, "vramlab", versions.of(ROOT), "py3-none-any")
    wheel.metadata += ["Summary: A Jupyter kernel for GPU-memory experiments: Java cells, PyTorch's allocator to the byte, no GPU needed",
                       "License-Expression: Apache-2.0", "Requires-Python: >=3.9", "Provides-Extra: jdk", "Requires-Dist: vramlab-jdk; extra == 'jdk'"]
    wheel.add_tree(ROOT / "install/python/vramlab_kernel", "vramlab_kernel")
    wheel.add_tree(distribution, "vramlab_kernel/jars")
    for module in recorder():
        wheel.add(module, (ROOT / "install" / module).read_bytes())
    for script in ("find-jdk", "start"):
        wheel.add("vramlab_kernel/" + script, (ROOT / "install" / script).read_bytes(), True)
    argv = kernel["argv"]
    flags = [flag.replace(str(original), "{jars}") for flag in argv[1:argv.index("-jar")]]
    wheel.add("vramlab_kernel/" + FLAGS, ("\n".join(flags) + "\n").encode())
    for place in ("start-up.aot", "start-up.json"):  # filled at the first start, so that pip takes them away too
        wheel.add("vramlab_kernel/" + place, b"")
    kernel["argv"] = ["python", "-m", "vramlab_kernel", "{connection_file}"]
    kernel["metadata"]["vramlab"] = {"version": version(), "wheel": True}
    share = wheel.data + "/data/share/jupyter/kernels/vramlab/"
    for logo in sorted(spec.glob("logo-*")):
        wheel.add(share + logo.name, logo.read_bytes())
    wheel.add(share + "kernel.json", (json.dumps(kernel, indent=2) + "\n").encode())
    wheel.add(wheel.info + "/entry_points.txt", b"[console_scripts]\nvramlab = vramlab_kernel.command:main\n")
    return wheel.close(ROOT / "LICENSE")


def jdk_wheel(folder, home, tag):
    said = jdks.release(home)
    wheel = Wheel(folder, "vramlab-jdk", re.match(r"[0-9.]+", said["JAVA_VERSION"])[0], "py3-none-" + tag)
    wheel.metadata += ["Summary: The JDK that VramLab's kernel runs on", "License-Expression: GPL-2.0-only WITH Classpath-exception-2.0",
                       "Requires-Python: >=3.9"]
    wheel.add_tree(ROOT / "install/python/vramlab_jdk", "vramlab_jdk")
    wheel.add_tree(home, "vramlab_jdk/jdk")
    return wheel.close(home / "legal/java.base/LICENSE")


def release_zip(folder, distribution, notebooks):
    """The trimmed jars with bin/vramlab, for those with a JDK and without pip."""
    name = "vramlab-" + version()
    file = folder / (name + ".zip")
    content = {"lib/" + str(path.relative_to(distribution).as_posix()): path for path in sorted(distribution.rglob("*")) if path.is_file()}
    content |= {"bin/vramlab": HERE / "vramlab", "bin/find-jdk": ROOT / "install/find-jdk", "bin/start": ROOT / "install/start"}
    content |= {each: ROOT / "install" / each for each in recorder()}
    content |= {each: ROOT / each for each in ("LICENSE", "README.md", "CHANGELOG.md")}
    content |= {str(each.relative_to(ROOT).as_posix()): each for each in notebooks}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as release:
        for path, source in content.items():
            entry = zipfile.ZipInfo(name + "/" + path, TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if path.startswith("bin/") else 0o100644) << 16
            release.writestr(entry, source.read_bytes())
    return file


def maven(folder):
    """The modules as Maven artifacts, with all their sources and their Javadoc, in a repository of files."""
    log = folder / "maven.log"
    with open(log, "wb") as out:
        status = subprocess.call([str(ROOT / "mvnw"), "--batch-mode", "-P", "dist", "-DskipTests", "-DskipFormat=true", "-Dsource.includes=**/*.java",
                                  "-DaltDeploymentRepository=dist::file:%s" % (folder / "maven"), "deploy"], cwd=ROOT, stdout=out, stderr=subprocess.STDOUT)
    if status:
        raise SystemExit("dist: Maven failed; its whole log is %s" % log)
    log.unlink()


def main():
    parser = argparse.ArgumentParser(prog="install/dist", description="Makes dist/: wheels, release zip, Maven artifacts, checksums.")
    parser.add_argument("--jdk", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--only", choices=["wheel", "jdk", "zip", "maven"], action="append", help="make only this; may be repeated")
    parser.add_argument("--jmods", type=pathlib.Path, help="the jmods folder of another platform's JDK, of the very version of this one; with --platform")
    parser.add_argument("--platform", help="the platform of the wheel vramlab-jdk, such as macosx_11_0_arm64, win_amd64, manylinux_2_17_aarch64")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "dist", help="where to (default: dist)")
    options = parser.parse_args()
    if options.jmods and not options.platform:
        parser.error("--jmods needs --platform: what jlink makes does not tell for which it is")
    wanted = options.only or ["wheel", "jdk", "zip", "maven"]
    folder = options.output.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        work = pathlib.Path(temporary)
        if {"wheel", "zip", "jdk"} & set(wanted):
            original, spec, kernel = installed(options.jdk / "bin/java", work / "installed")
            code = trimmed(options.jdk, original, work / "jars")
        made = []
        if "wheel" in wanted:
            made.append(kernel_wheel(folder, work / "jars", spec, kernel, original))
        if "jdk" in wanted:
            home = work / "jdk"
            jdks.link(options.jdk, options.jmods, home)
            lacking = jdks.needed(options.jdk, code) - set(jdks.release(home)["MODULES"].split())
            if lacking:
                raise SystemExit("dist: jars need modules that the linked JDK lacks: " + ", ".join(sorted(lacking)))
            made.append(jdk_wheel(folder, home, options.platform or jdks.platform(options.jdk)))
        if "zip" in wanted:
            made.append(release_zip(folder, work / "jars", sorted((ROOT / "notebooks").rglob("*.ipynb"))))
        if "maven" in wanted:
            maven(folder)
    for file in made:
        say("%-60s %6.1f MB" % (file.name, file.stat().st_size / 1e6))
    sums = ["%s  %s\n" % (hashlib.sha256(file.read_bytes()).hexdigest(), file.name) for file in sorted(folder.iterdir())
            if file.suffix in (".whl", ".zip")]
    (folder / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    say("checksums in %s" % (folder / "SHA256SUMS"))


if __name__ == "__main__":
    sys.exit(main())
