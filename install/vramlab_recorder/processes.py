"""One process of several, alone: collective operations change nothing, and DistributedDataParallel has its buckets of gradients."""
import contextlib, os

import torch


class _Work:
    """A collective operation that is over."""

    def wait(self, *args, **kwargs):
        return True

    def is_completed(self):
        return True

    def get_future(self):
        return self


def _processes(follow, p):
    """One process of several, alone: collective operations change nothing, gradients have their buckets."""
    dist = torch.distributed
    if not dist.is_available():
        return
    group, state = dist.group if hasattr(dist, "group") else None, {"up": False}
    rank, size = lambda *a, **k: int(os.environ.get("RANK", 0)), lambda *a, **k: int(os.environ.get("WORLD_SIZE", 1))

    plain_begin, plain_end = dist.init_process_group, dist.destroy_process_group

    def begin(*args, **kwargs):
        with follow.unseen():                                  # a group whose collective operations do nothing, for meshes of devices
            from torch.testing._internal.distributed.fake_pg import FakeStore
            plain_begin("fake", store=FakeStore(), rank=rank(), world_size=size())
        state["up"] = True
        follow.note(f"of the {size()} processes one is recorded; NCCL's own memory is outside of the allocator, some hundred MiB more for each GPU")

    def end(*args, **kwargs):
        if state["up"]:
            state["up"] = False
            plain_end()

    p.at_the_end(end)
    names = {"init_process_group": begin, "destroy_process_group": end, "is_initialized": lambda: state["up"], "get_rank": rank, "get_world_size": size,
             "get_backend": lambda *a, **k: "nccl", "new_group": lambda *a, **k: None, "get_process_group_ranks": lambda *a, **k: list(range(size())), **_collective()}
    for name, value in names.items():
        for owner in {dist, getattr(dist, "distributed_c10d", dist)}:
            if hasattr(owner, name):
                p.set(owner, name, value)
    _Replicated.follow = follow
    p.set(torch.nn.parallel, "DistributedDataParallel", _Replicated)
    p.set(torch.nn.parallel.distributed, "DistributedDataParallel", _Replicated)

    def spawn(fn, args=(), nprocs=1, *rest, **kwargs):
        os.environ.setdefault("RANK", "0"), os.environ.setdefault("WORLD_SIZE", str(nprocs)), os.environ.setdefault("LOCAL_RANK", "0")
        follow.note(f"of {nprocs} processes the first is recorded")
        fn(0, *args)

    p.set(torch.multiprocessing, "spawn", spawn)


def _collective():
    """Operations of all processes together, as one of them does its part."""
    nothing = lambda *args, **kwargs: _Work() if kwargs.get("async_op") else None

    def gathered(parts, tensor, *args, **kwargs):
        flat = tensor.new_empty(len(parts) * tensor.numel())   # into which they are gathered
        for part in parts:
            part.copy_(tensor)
        del flat
        return nothing(**kwargs)

    def into(output_tensor, input_tensor, *args, **kwargs):
        output_tensor.view(-1)[:input_tensor.numel()].copy_(input_tensor.reshape(-1))
        return nothing(**kwargs)

    def scattered(output, input, *args, **kwargs):
        output.copy_(input.reshape(-1)[:output.numel()].view_as(output))
        return nothing(**kwargs)

    def objects(parts, value, *args, **kwargs):
        parts[:] = [value] * len(parts)

    def barrier(*args, **kwargs):
        torch.empty(1, dtype=torch.uint8, device="cuda")
        torch.empty(1, device="cuda")
        return nothing(**kwargs)

    return {"all_reduce": nothing, "broadcast": nothing, "reduce": nothing, "all_gather": gathered, "all_gather_into_tensor": into,
            "reduce_scatter_tensor": scattered, "barrier": barrier, "monitored_barrier": barrier, "broadcast_object_list": nothing, "all_gather_object": objects}


FIRST_BUCKET, BUCKET, SYNCHRONIZED = 1 << 20, 25 << 20, 250 << 20


class _Replicated(torch.nn.Module):
    """DistributedDataParallel's memory: what it broadcasts when it is made, and its buckets (torch/csrc/distributed/c10d/reducer.cpp)."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0, broadcast_buffers=True, init_sync=True, process_group=None, bucket_cap_mb=None,
                 find_unused_parameters=False, check_reduction=False, gradient_as_bucket_view=False, static_graph=False, **kwargs):
        super().__init__()
        self.module, self.synchronized, self.arrived, self.rebuilt = module, True, [], False
        self.broadcast_buffers, self.view, self.buckets = broadcast_buffers, gradient_as_bucket_view, []
        self.limits = [FIRST_BUCKET if bucket_cap_mb is None else bucket_cap_mb << 20, BUCKET if bucket_cap_mb is None else bucket_cap_mb << 20]
        self.device_ids, self.turns = device_ids, 0
        self.unused, self.static = find_unused_parameters and not static_graph, static_graph
        trained = [q for q in module.parameters() if q.requires_grad]
        if init_sync:
            self.compare(trained)
            self.broadcast([q.detach() for q in module.parameters()] + [b.detach() for b in module.buffers()])
        self.build(trained, self.limits if self.unused else [sum(q.numel() * q.element_size() for q in trained)])    # one, until the order is known
        if self.unused or self.static:
            self.used = torch.empty(len(trained), dtype=torch.int32, device=trained[0].device)
        for q in trained:
            q.register_post_accumulate_grad_hook(self.ready)

    def compare(self, trained):
        """The number of parameters, gathered flat, and then their sizes and strides, are the same everywhere."""
        number = lambda n: torch.empty(n, dtype=torch.int64, device=trained[0].device)
        told, every = number(1), number(1)
        flat = number(int(os.environ.get("WORLD_SIZE", 1)))
        del flat
        number(2 * sum(q.dim() for q in trained))
        del every, told

    def broadcast(self, tensors):
        on_device = [t for t in tensors if t.device.type == "cuda"]
        for dtype in dict.fromkeys(t.dtype for t in on_device):
            for part in _split_by_size([t for t in on_device if t.dtype == dtype], [SYNCHRONIZED]):
                flat = torch.cat([t.reshape(-1) for t in part]) if len(part) > 1 else part[0].reshape(-1)
                offset = 0
                for t in part:
                    t.copy_(flat[offset:offset + t.numel()].view_as(t))
                    offset += t.numel()

    def build(self, parameters, limits):
        self.buckets, self.places = [], {}
        parts = [part for dtype in dict.fromkeys(q.dtype for q in parameters)
                 for part in _split_by_size([q for q in parameters if q.dtype == dtype], limits)]
        for part in reversed(parts) if self.unused else parts:
            flat, offset = torch.empty(sum(q.numel() for q in part), dtype=part[0].dtype, device=part[0].device), 0
            for q in part:
                self.places[id(q)] = flat[offset:offset + q.numel()].view_as(q)
                offset += q.numel()
            self.buckets.append(flat)

    def ready(self, parameter):
        if not self.synchronized:
            return
        if not self.rebuilt and not self.unused and not (self.static and self.turns < 2):    # a static graph is learnt first
            self.arrived.append(parameter)
        place = self.places[id(parameter)]
        if self.view:
            if parameter.grad is not place:
                place.copy_(parameter.grad)
                parameter.grad = place
        else:
            place.copy_(parameter.grad)

    def forward(self, *args, **kwargs):
        if self.training and torch.is_grad_enabled() and self.arrived and not self.rebuilt:
            self.rebuild()
        if self.broadcast_buffers and self.training:
            self.broadcast([b.detach() for b in self.module.buffers()])
        self.turns += 1
        out = self.module(*args, **kwargs)
        sinks = torch.is_grad_enabled() and self.synchronized and (self.unused or self.static and self.turns == 1)
        return torch.utils._pytree.tree_map_only(torch.Tensor, torch.clone, out) if sinks else out

    def rebuild(self):
        """Buckets in the order in which gradients came, which is told to all. NCCL's watchdog may let the first one go later."""
        self.rebuilt, on = True, self.arrived[0].device
        parts = sum(len(_split_by_size([q for q in self.arrived if q.dtype == dtype], self.limits)) for dtype in dict.fromkeys(q.dtype for q in self.arrived))
        order = torch.empty(len(self.arrived) + 1, dtype=torch.int32, device=on)
        sizes = torch.empty(parts, dtype=torch.int32, device=on)
        del order, sizes
        if not self.view:
            for bucket in self.buckets:
                self.follow.lingers(bucket)
        self.build(self.arrived, self.limits)

    @contextlib.contextmanager
    def no_sync(self):
        self.synchronized, before = False, self.synchronized
        try:
            yield
        finally:
            self.synchronized = before

    def join(self, *args, **kwargs):
        return contextlib.nullcontext()


def _split_by_size(tensors, limits):
    """One list after another until it has reached its limit; the last limit is for all that follow."""
    parts, part, size, turn = [], [], 0, 0
    for t in tensors:
        part.append(t)
        size += t.numel() * t.element_size()
        if size >= limits[min(turn, len(limits) - 1)]:
            parts.append(part)
            part, size, turn = [], 0, turn + 1
    return parts + [part] if part else parts
