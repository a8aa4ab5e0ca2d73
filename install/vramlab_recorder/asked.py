"""What the host asks of the device: tolist, numpy, format, and tests that end with an error.

A value that is not known has to be taken as something; where the program's source shows that one answer raises an error, it is the other.
"""
import ast, functools, linecache, os

import torch
from torch._subclasses.fake_tensor import FakeTensor

from .common import OURS, TORCH, _frames, plain_tolist, _plainly
from .known import _known

_branches = {}


def _fails_if():
    """What a truth value has to be so that the program does not raise an error where it asks for it, nor leaves a loop early; None where that does not show in its source."""
    for skipped in (ASKING, (TORCH,)):                         # PyTorch's own functions check their arguments, too
        frame = next((f for f in _frames(40) if not f.f_code.co_filename.startswith((*skipped, *OURS, "<"))), None)
        wanted = None if frame is None else _fails_at(frame.f_code.co_filename, frame.f_lineno)
        if wanted is not None:
            return wanted
    return None


# What lies between a truth value that is asked for and who asks.
ASKING = tuple(TORCH + name for name in ("_tensor.py", "_ops.py", "_compile.py", "_dynamo", "_subclasses", "_meta_registrations", "_refs", "_prims", "_decomp",
                                         "overrides.py", "utils" + os.sep + "_"))


@functools.lru_cache(16)
def _tree(file):
    try:
        return ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:
        return None


def _fails_at(*place):
    if place not in _branches:
        _branches[place] = None
        tree = _tree(place[0])
        if tree is None:
            return None
        for node in ast.walk(tree):
            if isinstance(node, ast.For):
                for test in _ends(node.body, place[1]):
                    _branches[place] = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
            if isinstance(node, ast.If) and node.lineno <= place[1] <= node.test.end_lineno and any(map(_fails, node.body)):
                _branches[place] = isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not)
            elif isinstance(node, ast.Assert) and node.lineno <= place[1] <= node.test.end_lineno:
                _branches[place] = not (isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not))
    return _branches[place]


def _ends(body, line):
    """What is asked in that line of a loop over something, so that it ends there; a loop that has no end of its own is not one."""
    for node in body:
        if isinstance(node, ast.If):
            if node.lineno <= line <= node.test.end_lineno and any(isinstance(s, (ast.Break, ast.Return)) for s in node.body):
                yield node.test
            yield from _ends(node.body + node.orelse, line)
        elif isinstance(node, (ast.With, ast.Try)):
            yield from _ends(node.body, line)


def _fails(statement):
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(statement, ast.Raise) or isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "_assert" \
        and isinstance(call.args[0], ast.Constant) and not call.args[0].value


def _read(follow, p):
    """Values that the host asks for."""
    each = lambda t: list(map(each, t)) if t.dim() else t.item()

    def tolist(t):
        if t.device.type == "cuda" and not t.is_contiguous():
            t.cpu()                                            # by way of a copy that is contiguous
        known = _known.of(t)
        return each(t) if known is None else _plainly(plain_tolist, known)

    p.set(FakeTensor, "tolist", tolist)
    where = lambda places: tolist(places) if isinstance(places, FakeTensor) else places
    for owner in (torch, torch.Tensor):                        # which reads where to split
        p.set(owner, "tensor_split", lambda t, *places, plain_split=owner.tensor_split, **named: plain_split(
            t, *map(where, places), **{name: where(value) for name, value in named.items()}))

    def numpy(t, *args, **kwargs):
        import numpy
        known = _known.of(t)
        if known is not None:
            return _plainly(lambda: known.detach().numpy().copy())
        follow.note("the values of a tensor are not known without a GPU; taken as 0")
        return numpy.zeros(tuple(t.shape), dtype=str(t.dtype)[6:].replace("bfloat16", "float32"))

    torch.utils._device._device_constructors()                 # which are looked up once, and by the function that they are
    plain_tensor = torch.tensor

    def values(v):                                             # of tensors of the device, which are asked for one by one
        if type(v) in (list, tuple):
            return type(v)(map(values, v))
        return v.item() if isinstance(v, FakeTensor) and v.numel() == 1 and v.device.type == "cuda" else v

    p.set(torch, "tensor", lambda data, *, pin_memory=False, **k: plain_tensor(values(data) if type(data) in (list, tuple) else data, **k))
    plain_format = torch.Tensor.__format__
    p.set(torch.Tensor, "__format__", lambda t, how: t.item().__format__(how) if isinstance(t, FakeTensor) and t.dim() == 0 else plain_format(t, how))
    p.set(FakeTensor, "numpy", numpy)
    p.set(FakeTensor, "__array__", lambda t, *a, **k: numpy(t))
