"""Workers of a DataLoader in the recorder's own process, for vramlab_trace.py, beside which this file lies.

Each worker has its own random numbers, from the loader's seed and its number, its own copies of generators that the dataset holds, and every n-th batch, as its
process would have (torch/utils/data/_utils/worker.py, dataloader.py): what a dataset draws is what it draws there, and what the program draws itself is, too.
"""
import collections
import contextlib
import copy
import random
import sys
import types

import torch
from torch.utils.data import Dataset, dataloader
from torch.utils.data._utils import worker as processes


def _drawing():
    """The states of the generators that everything of a process shares."""
    numpy = sys.modules.get("numpy")
    return random.getstate(), torch.default_generator.get_state(), numpy.random.get_state() if numpy else None


def _draw_on(state):
    random.setstate(state[0])
    torch.default_generator.set_state(state[1])
    if state[2] is not None:
        sys.modules["numpy"].random.set_state(state[2])


def _copied(value):
    """With other generators and datasets; what it reads is shared, which takes no memory here."""
    try:
        same = copy.copy(value)
        vars(same).update((name, _apart(held)) for name, held in list(vars(value).items()))
        return same
    except Exception:                                          # one that cannot be copied
        return value


def _apart(value):
    """As another process has it: what it draws by is its own."""
    if isinstance(value, Dataset):
        return _copied(value)
    if isinstance(value, torch.Generator) and value.device.type == "cpu":
        same = torch.Generator()
        same.set_state(value.get_state())
        return same
    numpy = sys.modules.get("numpy")
    drawn_by = (random.Random,) if numpy is None else (random.Random, numpy.random.Generator, numpy.random.RandomState)
    return copy.deepcopy(value) if isinstance(value, drawn_by) else value


def _collating(function):
    """What puts a batch together may be an object, or a method of one."""
    if isinstance(function, types.MethodType):
        return types.MethodType(function.__func__, _copied(function.__self__))
    plain = isinstance(function, (types.FunctionType, types.BuiltinFunctionType, type, torch.nn.Module))
    return function if plain or not hasattr(function, "__dict__") else _copied(function)


class _Worker:
    def __init__(self, number, loader, base, guard):
        self.number, self.guard, self.fetcher = number, guard, None
        dataset, self.collate = _apart(loader.dataset), _collating(loader.collate_fn)
        self.info = processes.WorkerInfo(id=number, num_workers=loader.num_workers, seed=base + number, dataset=dataset)
        before = _drawing()
        random.seed(base + number)
        torch.default_generator.manual_seed(base + number)
        if before[2] is not None:
            sys.modules["numpy"].random.seed(processes._generate_state(base, number))
        self.state = _drawing()
        _draw_on(before)
        if loader.worker_init_fn is not None:
            with self.running():
                loader.worker_init_fn(number)

    @contextlib.contextmanager
    def running(self):
        before, information = _drawing(), processes._worker_info
        _draw_on(self.state)
        processes._worker_info = self.info
        try:
            with self.guard():
                yield
        finally:
            self.state = _drawing()
            processes._worker_info = information
            _draw_on(before)

    def begin(self, iterator):
        with self.running():
            self.fetcher = dataloader._DatasetKind.create_fetcher(iterator._dataset_kind, self.info.dataset, iterator._auto_collation, self.collate, iterator._drop_last)

    def fetch(self, index):
        with self.running():
            return self.fetcher.fetch(index)


class _Batches(dataloader._SingleProcessDataLoaderIter):
    """The batches of several workers in turn, the places of some of them drawn ahead."""

    def __init__(self, loader, ahead, kept, guard):
        generator = loader.generator or torch.default_generator
        before = generator.get_state()
        dataloader._BaseDataLoaderIter.__init__(self, loader)
        if kept:                                               # workers that stay are seeded once
            generator.set_state(before)
        self.workers = kept or [_Worker(number, loader, self._base_seed, guard) for number in range(loader.num_workers)]
        for worker in self.workers:
            worker.begin(self)
        self.turns, self.next_ones = collections.deque(self.workers), collections.deque()
        for _ in range(ahead * loader.num_workers):
            self.look_ahead()

    def look_ahead(self):
        with contextlib.suppress(StopIteration):
            self.next_ones.append(self._next_index())

    def _next_data(self):
        while self.turns and self.next_ones:
            index = self.next_ones.popleft()
            worker = self.turns[0]
            self.turns.rotate(-1)
            try:
                data = worker.fetch(index)
            except StopIteration:                              # that one has no more
                self.turns.remove(worker)
                self.next_ones.appendleft(index)
                continue
            self.look_ahead()
            return data
        raise StopIteration


def here(patches):
    """What puts a batch together in memory that processes share (collate.py, collate_tensor_fn) is given memory that nothing is written to, as all tensors are."""
    patches.set(torch.UntypedStorage, "_new_shared", classmethod(lambda kind, size, *, device="cpu": kind(size, device="meta")))


def batches(loader, count, ahead, stay, guard):
    """An iterator over a loader that has so many workers; `guard` is entered wherever one of them runs."""
    loader.num_workers = count
    made = _Batches(loader, ahead, loader.__dict__.get("_vramlab_kept"), guard)
    if stay:
        loader.__dict__["_vramlab_kept"] = made.workers
    return made
