"""The file that is written: tables of operations, types, places and modules, and a line for each thing that happens to a storage.

Its format is docs/plan.md, "The file". A storage is followed from the operation that makes it to the moment CPython lets it go, by a weak reference.
"""
import json, sys, weakref

import torch
from torch._subclasses.fake_tensor import FakeTensor


class _Lines:
    """Writes the file's lines: tables, storages, streams and marks. `self.out` is the open file, `self.told` the stream its lines belong to."""

    def line(self, *values):
        self.out.write(json.dumps(values, separators=(",", ":"), ensure_ascii=False) + "\n")

    def number(self, table, key, *values):
        known = self.tables[table]
        if key not in known:
            known[key] = len(known) + 1
            self.line(table, known[key], *(values or (key,)))
        return known[key]

    def note(self, text):
        stack = self.stack()
        if (stack, text) not in self.noted:
            self.noted.add((stack, text))
            self.line("n", stack, text)

    def stack(self):
        frame, found = sys._getframe(1), []
        while frame is not None and len(found) < 8:
            code = frame.f_code
            name = code.co_filename
            if not name.startswith(self.hidden):
                found.append((name, frame.f_lineno, code.co_name))
            frame = frame.f_back
        found = tuple(found)
        return self.number("F", found, [list(f) for f in found])

    def text(self, stack):
        for key, number in self.tables["F"].items():
            if number == stack and key:
                return "%s:%d" % key[0][:2]
        return "an unknown line"

    def module(self):
        return self.number("M", self.modules[-1]) if self.modules else 0

    def storage(self, tensor):
        storage = tensor.untyped_storage()
        key = storage._cdata
        if key not in self.ids:
            number, self.ids[key] = self.next, self.next
            self.next += 1
            size = self.sizes[key] = storage.nbytes()
            self.live += size
            self.peak, self.recent = max(self.peak, self.live), max(self.recent, self.live)
            self.refs[key] = weakref.ref(storage, lambda _, key=key: self.gone(key))
            if self.told:
                self.home[number] = self.told
            return number, [number, size]
        size = storage.nbytes()
        if size != self.sizes[key]:
            self.live += size - self.sizes[key]
            self.sizes[key] = size
            self.line("r", self.ids[key], size)
        return self.ids[key], None

    def resized(self, storage):
        """A program gave a storage another size, as sharded models do to let what they gathered go and to take it again."""
        key = storage._cdata
        if key in self.ids and storage.nbytes() != self.sizes[key]:
            self.turn(None)
            self.live += storage.nbytes() - self.sizes[key]
            self.peak, self.recent = max(self.peak, self.live), max(self.recent, self.live)
            self.sizes[key] = storage.nbytes()
            self.line("r", self.ids[key], self.sizes[key])

    def gone(self, key):
        self.refs.pop(key, None)
        number = self.ids.pop(key, None)
        if number is not None:
            self.live -= self.sizes.pop(key)
            self.made_in.pop(number, None)
            self.home.pop(number, None)
            if number:                                         # what stands for nothing on a GPU has none
                self.line("f", number)

    def value(self, v, made):
        if isinstance(v, torch.Tensor):
            host = v.device.type != "cuda"
            if v.layout != torch.strided:                      # its parts are tensors of their own, seen where they are made
                meta = (str(v.dtype)[6:], tuple(v.shape), (0,) * v.dim(), 0, 1)
            else:
                meta = (str(v.dtype)[6:], tuple(v.shape), tuple(v.stride()), v.storage_offset(), 1 if host else 0)
            number = self.number("T", meta, *meta)
            if host or v.layout != torch.strided:
                return {"t": [0, number]}
            storage, new = self.storage(v)
            if new is not None and made is not None:
                made.append(new)
            elif new is not None:                              # a storage that came from outside of the recording
                self.line("b", *new)
            return {"t": [storage, number]}
        if isinstance(v, (list, tuple)):
            return [self.value(x, made) for x in v]
        if v is None or isinstance(v, (bool, str)):
            return v
        if isinstance(v, int):
            return int(v)
        if isinstance(v, float):
            return v if v - v == 0 else str(v)
        return {"d": str(v)}

    def turn(self, node):
        """The lines that follow belong to the current stream; in backward a node runs on the stream of its forward. Of a graph's pool it is told where it is captured."""
        stream = self.stream if node is None or self.hooks else self.streams_of.get(node._sequence_nr(), self.stream)
        if stream != self.told:
            self.told = stream
            self.line("s", stream, *self.captured_on.get(stream, ()))

    def used(self, tensor, stream):
        """record_stream: when the storage is let go, its memory waits for that stream as well."""
        if isinstance(tensor, FakeTensor) and tensor.device.type == "cuda":
            self.turn(None)
            self.mark_used(self.storage(tensor)[0], stream)

    def mark_used(self, number, stream):
        if self.home.get(number, 0) != stream:
            self.shared = True
            self.line("u", number, stream)

    def lingers(self, tensor):
        """Once let go it may stay until the optimizer has stepped."""
        if tensor.device.type == "cuda":
            self.line("l", self.storage(tensor)[0])

    def waited(self):
        """The host has waited for the device: what the streams had to do is done."""
        if self.shared:
            self.mark("synchronize")

    def mark(self, what, *values):
        self.line("m", what, self.stack(), *values)

    def reset_peak(self):
        self.recent = self.live
        self.mark("reset_peak")

    def step(self):
        """Tells the plan that one step is over."""
        self.mark("step")
