"""Streams, events and captured graphs of a device that is not there.

Allocations belong to the stream that is current, and memory used on another one waits for it; captured graphs have pools of their own, told as streams.
"""
import gc

import torch

from .known import _Drawing


class _Stream:
    """A stream of a device that is not there: 0 is the default one, PyTorch's pools have 32 each for low and high priority and begin again."""
    POOL = 32
    made = {}

    def __init__(self, device=None, priority=0, *, number=None, **kwargs):
        if number is None:
            high = priority < 0
            turn = self.made.get(high, 0)
            self.made[high] = turn + 1
            number = 1 + turn % self.POOL + high * self.POOL
        self.cuda_stream = self.stream_id = self._as_parameter_ = number
        self.device, self.device_index, self.device_type, self.priority = torch.device("cuda", 0), 0, 1, priority

    def __eq__(self, other):
        return isinstance(other, _Stream) and other.stream_id == self.stream_id

    def __hash__(self):
        return hash(self.stream_id)

    @staticmethod
    def priority_range():
        return 0, -5

    def query(self):
        return True

    def record_event(self, event=None):
        return event if event is not None else _Event()

    def wait_event(self, event):
        pass

    def wait_stream(self, stream):
        pass


FIRST_GRAPH = 64                                          # pools of captured graphs are told as streams from here on


class _Event:
    """An event of such a stream; what it marks is done when one waits for it."""

    def __init__(self, *args, **kwargs):
        self.device = torch.device("cuda", 0)

    def record(self, stream=None):
        pass

    def wait(self, stream=None):
        pass

    def query(self):
        return True

    def elapsed_time(self, other):
        return 1.0


def _streams(follow):
    """What of torch.cuda a program uses to work on several streams: allocations belong to the one that is current."""

    class On:
        """torch.cuda.StreamContext; without a stream nothing changes."""

        def __init__(self, stream):
            self.stream, self.before = stream, None

        def __enter__(self):
            self.before, self.hooked = follow.stream, self.stream is not None and torch._C._current_graph_task_id() != -1
            follow.hooks += self.hooked
            if self.stream is not None:
                follow.stream = self.stream.stream_id

        def __exit__(self, *failure):
            follow.stream = self.before
            follow.hooks -= self.hooked

    class Stream(_Stream):
        def __enter__(self):
            hooked = torch._C._current_graph_task_id() != -1
            self.entered = [*getattr(self, "entered", ()), (follow.stream, hooked)]
            follow.stream = self.stream_id
            follow.hooks += hooked
            return self

        def __exit__(self, *failure):
            follow.stream, hooked = self.entered.pop()
            follow.hooks -= hooked

        def synchronize(self):
            follow.waited()

    class Event(_Event):
        def synchronize(self):
            follow.waited()

    def turn(stream):
        if stream is not None:
            follow.stream = stream.stream_id

    Stream.made = {}
    return {**_captured(follow, On, Stream), "Stream": Stream, "Event": Event, "StreamContext": On, "stream": On, "set_stream": turn,
            "current_stream": lambda *a, **k: Stream(number=follow.stream), "default_stream": lambda *a, **k: Stream(number=0),
            "synchronize": lambda *a, **k: follow.waited()}


def _captured(follow, On, Stream):
    """What of torch.cuda a program captures its work with."""

    class CUDAGraph:
        """What is allocated while it is captured has a pool of its own, as on a stream of its own; to replay it takes nothing."""

        seeds = []

        def __init__(self, keep_graph=False):
            follow.graphs = follow.graphs % FIRST_GRAPH + 1    # there are so many numbers
            self.pool_of = FIRST_GRAPH + follow.graphs - 1

        def capture_begin(self, pool=None, capture_error_mode="global"):
            if pool is not None:
                self.pool_of = pool
            if not self.seeds:                                 # of the random numbers, and where they stand
                self.seeds += [torch.empty(1, dtype=torch.int64, device="cuda") for _ in range(2)]
            self.before, follow.stream = follow.stream, self.pool_of
            follow.captured_on[self.pool_of] = [self.before]   # where cuBLAS has its workspace, whichever graph it was made in
            _Drawing.put(None, None)                           # a graph draws by a count of its own

        def capture_end(self):
            follow.stream = self.before

        def pool(self):
            return self.pool_of

        def replay(self):
            pass

        instantiate = reset = enable_debug_mode = replay

    class Capturing:
        """torch.cuda.graph, which captures on a stream of its own where the program gives none."""

        streams = []

        def __init__(self, graph, pool=None, stream=None, capture_error_mode="global"):
            if stream is None and not self.streams:
                self.streams.append(Stream())
            self.graph, self.given, self.on = graph, pool, On(stream or self.streams[0])

        def __enter__(self):
            follow.waited()
            gc.collect()
            follow.mark("empty_cache")
            self.on.__enter__()
            self.graph.capture_begin(self.given)

        def __exit__(self, *failure):
            self.graph.capture_end()
            self.on.__exit__(*failure)

    return {"CUDAGraph": CUDAGraph, "graph": Capturing, "graph_pool_handle": lambda: CUDAGraph().pool_of}
