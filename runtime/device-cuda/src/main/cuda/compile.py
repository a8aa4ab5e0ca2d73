#!/usr/bin/env python3
"""Compiles every .cu file here to PTX among the runtime's resources.

usage: compile.py LIBNVRTC [NAME ...]

LIBNVRTC is libnvrtc.so.12 of CUDA 12.0 (its folder must hold libnvrtc-builtins too): the PTX then has ISA 8.0, which every
driver from CUDA 12.0 on takes. No GPU and no CUDA headers are needed; the PyPI package nvidia-cuda-nvrtc-cu12, version
12.0.140, holds both files. The first line of each result names its sources' digest; a test compares it.
"""
import ctypes
import hashlib
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
TARGET = HERE.parent / "resources/io/vramlab/device/cuda"
OPTIONS = ["--gpu-architecture=compute_70", "--std=c++17"]
# random numbers must have the same bits as the simulated GPU's: nothing is contracted there
EXTRA = {"random": ["--fmad=false"]}


def inlined(path, seen):
    """The source with its own headers in place, each once."""
    lines = []
    for line in path.read_text().splitlines():
        include = re.match(r'#include "(.*)"', line)
        if include:
            header = path.parent / include.group(1)
            if header not in seen:
                seen.add(header)
                lines += inlined(header, seen)
        elif line != "#pragma once":
            lines.append(line)
    return lines


def compile_one(nvrtc, path):
    source = "\n".join(inlined(path, set())) + "\n"
    program = ctypes.c_void_p()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), path.name.encode(), 0, None, None)
    options = OPTIONS + EXTRA.get(path.stem, [])
    array = (ctypes.c_char_p * len(options))(*[o.encode() for o in options])
    code = nvrtc.nvrtcCompileProgram(program, len(options), array)
    size = ctypes.c_size_t()
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    if log.value.strip(b"\0\n "):
        print(path.name + ":\n" + log.value.decode(), file=sys.stderr)
    if code:
        sys.exit(f"{path.name} does not compile")
    nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size))
    ptx = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetPTX(program, ptx)
    digest = hashlib.sha256(source.encode()).hexdigest()
    text = "\n".join(line for line in ptx.value.decode().splitlines() if not line.startswith("//"))
    TARGET.mkdir(parents=True, exist_ok=True)
    (TARGET / (path.stem + ".ptx")).write_text(f"// source sha256 {digest}\n{text.strip()}\n")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    nvrtc = ctypes.CDLL(sys.argv[1])
    names = sys.argv[2:] or sorted(p.stem for p in HERE.glob("*.cu"))
    for name in names:
        compile_one(nvrtc, HERE / (name + ".cu"))
        print(name, (TARGET / (name + ".ptx")).stat().st_size)


if __name__ == "__main__":
    main()
