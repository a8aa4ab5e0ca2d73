"""Files: what is saved is not written, but what was saved here can be loaded here again, as checkpoints are."""
import collections, copy, io, os, shutil

import torch
from torch._subclasses.fake_tensor import FakeTensor

from .common import TraceError
from .known import _known
from .libraries import _when_there
from .listing import _listed
from .opened import _opens
from .sparse import _is_sparse, _of_parts, _parts

SAVED_AT = b"vramlab_trace:%d\n"


def _files(follow, p):
    """What is saved is not written, but what is saved here can be loaded here again."""
    saved, plain_load = {}, torch.load

    def key(f):
        return os.path.abspath(os.fspath(f)) if isinstance(f, (str, os.PathLike)) else ("file", getattr(f, "name", None) or id(f))

    def turned(value, memo, move):
        """A copy with other tensors; those that share a storage go on doing so."""
        if isinstance(value, torch.Tensor):
            if id(value) not in memo:
                memo[id(value)] = move(value, memo), value
            return memo[id(value)][0]
        if type(value) in (dict, collections.OrderedDict, collections.defaultdict):
            same = type(value)() if not isinstance(value, collections.defaultdict) else collections.defaultdict(value.default_factory)
            same.update((k, turned(v, memo, move)) for k, v in value.items())
            return same
        if type(value) in (list, tuple):
            return type(value)(turned(v, memo, move) for v in value)
        if isinstance(value, torch.nn.Module):                 # its tensors are what deepcopy is told of
            known = {id(t): turned(t, memo, move) for t in (*value.parameters(), *value.buffers())}
            return copy.deepcopy(value, known)
        return value

    def laid(value, memo, device):
        if _is_sparse(value):
            return _of_parts(value, *(laid(part, memo, device) for part in _parts(value)), device=device)
        number = ("storage", value.untyped_storage()._cdata)
        with torch.no_grad():
            if number not in memo:
                memo[number] = torch.empty(value.untyped_storage().nbytes(), dtype=torch.uint8, device=device)
            same = memo[number].view(value.dtype).as_strided(value.shape, value.stride(), value.storage_offset())
        if isinstance(value, torch.nn.Parameter):
            same = torch.nn.Parameter(same, value.requires_grad)
        return same

    def put_away(value, memo):
        if value.layout != torch.strided and not _is_sparse(value):
            return value
        same = laid(value, memo, "cpu")
        same._vramlab_from, same._vramlab_value = value.device, _known.of(value)
        same._vramlab_rows = getattr(value, "_vramlab_rows", None)
        return same

    def kept(value, f):
        """Where it was put. A stream without a name is given a line that tells it, since its bytes may go elsewhere."""
        place = key(f) if isinstance(f, (str, os.PathLike)) or isinstance(getattr(f, "name", None), str) else ("bytes", len(saved))
        saved[place] = value
        if place[0] == "bytes":
            f.write(SAVED_AT % place[1])

    def found(f):
        """Where it was put, or None; what is no stream of the recorder's stays where it is."""
        if isinstance(f, (str, os.PathLike)) or isinstance(getattr(f, "name", None), str):
            name = os.fspath(f) if isinstance(f, (str, os.PathLike)) else f.name
            place = next((place for place in (os.path.abspath(name), ("file", name)) if place in saved), None)
            if place is not None or not hasattr(f, "readline") and not os.path.isfile(f):
                return place
        if not hasattr(f, "readline"):
            with open(f, "rb") as stream:
                return found_in(stream)
        return found_in(f)

    def found_in(stream):
        """What the bytes of a stream that was saved to tell, wherever they were written since."""
        at = stream.tell()
        line = stream.readline(64)
        if line.startswith(SAVED_AT[:-3]) and line.endswith(b"\n"):
            place = "bytes", int(line[len(SAVED_AT) - 3:])
            if place not in saved:
                raise TraceError(f"{getattr(stream, 'name', 'a stream')} was to be loaded, at {follow.text(follow.stack())}; another recording saved it, "
                                 "which wrote no tensors. Save it without recording, or let the program make it first")
            return place
        stream.seek(at)
        return None

    def save(value, f, *args, **kwargs):
        kept(turned(value, {}, put_away), f)
        follow.note("torch.save writes nothing here; torch.load gives back what was saved")

    def load(f, map_location=None, *args, **kwargs):
        place = found(f)
        if place is None:
            return plain_load(f, map_location, *args, **kwargs)

        def brought(value, memo):
            device = getattr(value, "_vramlab_from", value.device)
            if isinstance(map_location, (str, torch.device)):
                device = torch.device(map_location)
            elif isinstance(map_location, dict):
                device = torch.device(map_location.get(str(device), device))
            same = laid(value, memo, device)
            same._vramlab_value, same._vramlab_rows = getattr(value, "_vramlab_value", None), getattr(value, "_vramlab_rows", None)
            return same

        return turned(saved[place], {}, brought)

    def unpickled(stream):
        return load(io.BytesIO(stream))

    def pickled(tensor, protocol):
        stream = io.BytesIO()
        kept(put_away(tensor, {}), stream)
        return unpickled, (stream.getvalue(),)

    unpickled.__module__, unpickled.__qualname__ = "torch", "_vramlab_unpickled"    # where pickle looks for it
    plain_state = torch.random.set_rng_state                   # of the host, as a saved file gives it back
    for owner in (torch, torch.random):
        p.set(owner, "set_rng_state", lambda state: plain_state(state if _known.of(state) is None else _known.of(state)))
    p.set(torch, "_vramlab_unpickled", unpickled)
    p.set(FakeTensor, "__reduce_ex__", pickled)
    p.set(FakeTensor, "__copy__", lambda t: t.detach().requires_grad_(t.requires_grad))    # by reference, where pickling would copy
    p.set(torch, "save", save)
    p.set(torch, "load", load)
    _opens(p, lambda f: load(f, "cpu") if is_saved(f) else None)

    def as_bytes(tensors, metadata=None):
        stream = io.BytesIO()
        save(tensors, stream)
        return stream.getvalue()

    _when_there(p, "safetensors.torch", "save", lambda plain: as_bytes)
    _when_there(p, "safetensors.torch", "load", lambda plain: lambda data: load(io.BytesIO(data), "cpu") if data.startswith(SAVED_AT[:-3]) else plain(data))
    _when_there(p, "safetensors.torch", "save_file", lambda plain: lambda tensors, filename, metadata=None: save(tensors, filename))
    _when_there(p, "safetensors.torch", "load_file", lambda plain: lambda filename, device="cpu", **named: load(filename, device) if is_saved(filename) else plain(filename, device, **named))
    for name in ("isfile", "exists", "lexists"):
        plain = getattr(os.path, name)
        p.set(os.path, name, lambda f, plain=plain: plain(f) or is_saved(f))
    _listed(p, saved)
    plain_stat = os.stat

    def is_saved(f):
        return isinstance(f, (str, os.PathLike)) and os.path.abspath(os.fspath(f)) in saved

    def stat(f, *args, **kwargs):                              # os.path and pathlib ask it how large a file is
        try:
            return plain_stat(f, *args, **kwargs)
        except FileNotFoundError:
            if not is_saved(f):
                raise
            return os.stat_result((0o100644, 0, 0, 1, 0, 0, _bytes_of(saved[key(f)]), 0, 0, 0))

    p.set(os, "stat", stat)
    for name in ("remove", "unlink"):
        plain = getattr(os, name)
        p.set(os, name, lambda f, *a, plain=plain, **k: saved.pop(key(f)) and None if is_saved(f) else plain(f, *a, **k))
    for name in ("rename", "replace"):
        plain = getattr(os, name)
        p.set(os, name, lambda f, to, *a, plain=plain, **k: saved.update({key(to): saved.pop(key(f))}) if is_saved(f) else plain(f, to, *a, **k))
    for name in ("copyfile", "copymode", "copystat"):          # what the other ways to copy a file do
        p.set(shutil, name, lambda f, to, plain=getattr(shutil, name), **k: saved.update({key(to): saved[key(f)]}) or to if is_saved(f) else plain(f, to, **k))


def _bytes_of(value):
    tensors = [t for t in torch.utils._pytree.tree_leaves(value) if isinstance(t, torch.Tensor)]
    return sum(part.untyped_storage().nbytes() for t in tensors for part in (_parts(t) if _is_sparse(t) else (t,)))
