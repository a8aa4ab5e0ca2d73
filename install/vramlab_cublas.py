"""A stand-in for cuBLASLt, as cuDNN asks it while it plans: there is no GPU, so that the library itself cannot begin.

cuDNN offers its engines on top of cuBLAS (products of matrices, Winograd's and Fourier transforms) where `cublasLtCreate` succeeds and an algorithm is found. The stand-in, a shared object of some
functions that is written here, says yes to both and that the algorithm works in nothing; it computes nothing. cuDNN takes it for cuBLASLt where it was loaded before the library of that name, so that
this must be a process of its own, in which nothing else multiplies.
"""
import ctypes, os, platform, struct, tempfile

RESULT = 96                                                # bytes of a cublasLtMatmulHeuristicResult_t
VERSION = 130200
NAMES = ["Get" + what for what in ("Version", "CudartVersion")] + [thing + what for thing in ("", "MatmulDesc", "MatrixLayout", "MatmulPreference", "MatrixTransformDesc")
                                                                   for what in ("Create", "Destroy", "SetAttribute", "GetAttribute")] + ["MatmulAlgoGetHeuristic", "MatmulAlgoCheck"]
PAGE, ADDRESS, SPACE = 0x1000, 0x2000, 0x2000               # where what is written to begins, and how much of it there is
LOAD, DYNAMIC, STACK = 1, 2, 0x6474E551
HASH, STRINGS, SYMBOLS, STRINGS_SIZE, SYMBOL_SIZE, SONAME = 4, 5, 6, 10, 11, 14


def _code(name, at):
    """Machine code of x86-64 (System V): what the function answers; 0 is success."""
    if name.endswith("Version"):
        return b"\xb8" + struct.pack("<I", VERSION) + b"\xc3"                                     # mov eax, VERSION; ret
    if name.endswith("Create"):
        return b"\x48\x8d\x05" + struct.pack("<i", ADDRESS + PAGE - at - 7) + b"\x48\x89\x07\x31\xc0\xc3"      # lea rax, [some space]; mov [rdi], rax; xor eax, eax; ret
    if name.endswith("GetHeuristic"):                      # as many as are wanted, all zero: mov rdi, [rsp+24]; mov ecx, [rsp+16]; mov rax, [rsp+32]; mov [rax], ecx; imul ecx, ecx, RESULT; xor eax, eax; rep stosb; ret
        return b"\x48\x8b\x7c\x24\x18\x8b\x4c\x24\x10\x48\x8b\x44\x24\x20\x89\x08\x6b\xc9" + bytes([RESULT]) + b"\x31\xc0\xf3\xaa\xc3"
    return b"\x31\xc0\xc3"                                 # xor eax, eax; ret


def _library(soname):
    """The bytes of the shared object."""
    names = ["cublasLt" + name for name in NAMES]
    strings, at = b"\0", {}
    for text in (*names, soname):
        at[text] = len(strings)
        strings += text.encode() + b"\0"
    count = len(names) + 1
    begin = 64 + 4 * 56                                    # behind the headers: symbols, strings, hash, code
    strings_at = begin + 24 * count
    hash_at = (strings_at + len(strings) + 7) // 8 * 8
    code_at = (hash_at + 4 * (2 + 1 + count) + 15) // 16 * 16
    symbols, code = bytes(24), b""
    for name in names:
        body = _code(name, code_at + len(code))
        symbols += struct.pack("<IBBHQQ", at[name], 0x12, 0, 1, code_at + len(code), len(body))
        code += body + b"\xcc" * (-len(body) % 16)
    chain = struct.pack("<3I", 1, count, 1) + struct.pack(f"<{count}I", 0, *range(2, count), 0)          # one bucket: all in a row
    head = b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, 0, 0, 64, 56, 4, 64, 0, 0)
    text = symbols + strings
    text += bytes(hash_at - begin - len(text)) + chain
    text += bytes(code_at - begin - len(text)) + code
    tags = [(HASH, hash_at), (STRINGS, strings_at), (SYMBOLS, begin), (STRINGS_SIZE, len(strings)), (SYMBOL_SIZE, 24), (SONAME, at[soname]), (0, 0)]
    dynamic = b"".join(struct.pack("<QQ", *tag) for tag in tags)
    part = lambda kind, flags, where, to, size, memory: struct.pack("<IIQQQQQQ", kind, flags, where, to, to, size, memory, PAGE if kind == LOAD else 8)
    end = begin + len(text)
    parts = part(LOAD, 5, 0, 0, end, end) + part(LOAD, 6, ADDRESS, ADDRESS, len(dynamic), SPACE) + part(DYNAMIC, 6, ADDRESS, ADDRESS, len(dynamic), len(dynamic)) + part(STACK, 6, 0, 0, 0, 0)
    return head + parts + text + bytes(ADDRESS - end) + dynamic


def stand_in(soname):
    """Loads it under that name; False where it cannot be, on another processor than x86-64 under Linux."""
    if platform.machine() != "x86_64" or platform.system() != "Linux":
        return False
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, soname)
        with open(path, "wb") as f:
            f.write(_library(soname))
        try:
            ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
        except OSError:
            return False
    return True
