"""Loaders of data: in this process instead of workers, drawing as the workers would (vramlab_workers.py), and with --batches only so many."""
import contextlib, inspect, itertools

from .common import _beside, _plainly
from .known import _Drawing


def _load(follow, p):
    import torch.utils.data as data
    plain_order = data.RandomSampler.__iter__

    def order(sampler):
        with follow.unseen():
            return iter(_plainly(lambda: list(plain_order(sampler))))

    p.set(data.RandomSampler, "__iter__", order)
    _without_workers(follow, p, data)


BATCHES = [None]                                               # how many batches each loader gives, None for all


def _without_workers(follow, p, data):
    """Loads in this process, which takes no other memory of the GPU; with --batches only so many."""
    plain, signature, lengths = data.DataLoader.__init__, inspect.signature(data.DataLoader.__init__), data.DataLoader.__len__
    iterate = data.DataLoader.__iter__
    here = {"num_workers": 0, "pin_memory": False, "prefetch_factor": None, "persistent_workers": False, "timeout": 0, "multiprocessing_context": None}
    vramlab_workers, make = _beside("vramlab_workers"), data.DataLoader._get_iterator

    def loader(self, *args, **kwargs):
        bound = signature.bind(self, *args, **kwargs)
        asked = {key: bound.arguments[key] for key in here if key in bound.arguments}
        for key in asked:
            bound.arguments[key] = here[key]
        plain(*bound.args, **bound.kwargs)
        self._vramlab_asked = asked
        if vramlab_workers is not None and asked.get("num_workers"):
            self.num_workers = asked["num_workers"]            # who makes a loader like this one asks for it

    @contextlib.contextmanager
    def as_elsewhere():                                        # a worker's seed is none of the device's here
        drawing = _Drawing.default
        try:
            yield
        finally:
            _Drawing.put(None, drawing)

    def iterator(self):
        asked, count = getattr(self, "_vramlab_asked", {}), self.num_workers
        if not count or vramlab_workers is None or isinstance(self.dataset, (data.IterDataPipe, data.MapDataPipe)):
            self.num_workers = 0
            return make(self)
        return vramlab_workers.batches(self, count, asked.get("prefetch_factor") or 2, asked.get("persistent_workers"), as_elsewhere)

    if vramlab_workers is not None:
        vramlab_workers.here(p)
    p.set(data.DataLoader, "_get_iterator", iterator)

    def some(self):
        if BATCHES[0] is None:
            return iterate(self)
        follow.note(f"each DataLoader gives {BATCHES[0]} batches, as --batches says")
        return itertools.islice(iterate(self), BATCHES[0])

    p.set(data.DataLoader, "__init__", loader)
    p.set(data.DataLoader, "__iter__", some)
    p.set(data.DataLoader, "__len__", lambda self: lengths(self) if BATCHES[0] is None else min(lengths(self), BATCHES[0]))
