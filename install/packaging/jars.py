"""Leaves out of jars what nothing reaches: four fifths of fastutil, and the native libraries of which JCuda's driver API needs none.

fastutil has a class for each pair of types; kept are those that other jars name, and what those name. A native library is loaded by the class of
JCuda that has its name (JCuda itself loads JCudaRuntime); kept are those of the classes that VramLab reaches. Other jars go in as they are: some
find classes by their names at run time, which no such analysis sees. fastutil does not.
"""
import re
import zipfile

FASTUTIL = "it.unimi.dsi.fastutil."
NATIVE = re.compile(r"lib/(?:lib)?(\w+?)-[^/]*\.(?:so|dll|dylib)")
LOADED_BY = {"JCudaRuntime": "JCuda"}


def is_native(jar):
    return "-natives-" in jar.name


def is_code(jar):
    return not is_native(jar) and not jar.name.endswith("-sources.jar")


def own(name):
    return name.startswith("io.vramlab.")


def trim(jars, classes):
    """For each jar that shall be written anew, a test that tells of an entry's name whether it stays."""
    used = {name for name, named in classes.needs.items() if not name.startswith(FASTUTIL)}
    fast = classes.reach(need for name in used for need in classes.needs[name] if need.startswith(FASTUTIL))
    # calls of JCuda alone: through its own classes all of it hangs together
    called = {need.rsplit(".", 1)[-1] for name in used if own(name) for need in classes.needs[name] if need.startswith("jcuda.")}

    def fastutil_stays(entry):
        return not entry.endswith(".class") or entry[:-len(".class")].replace("/", ".") in fast

    def native_stays(entry):
        library = NATIVE.fullmatch(entry)
        return not library or LOADED_BY.get(library[1], library[1]) in called

    tests = {}
    for jar in jars:
        if jar.name.startswith("fastutil-"):
            tests[jar] = fastutil_stays
        elif is_native(jar):
            tests[jar] = native_stays
    return tests


def write(jar, target, stays):
    with zipfile.ZipFile(jar) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new:
        for entry in old.infolist():
            if stays(entry.filename):
                copy = zipfile.ZipInfo(entry.filename, entry.date_time)
                copy.compress_type = zipfile.ZIP_DEFLATED
                copy.external_attr = entry.external_attr
                new.writestr(copy, old.read(entry))
