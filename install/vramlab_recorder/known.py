"""Values that follow from the program alone, computed beside the fake tensors.

Masks, positions, lengths and labels decide shapes and loops, and most of them come from constants, from the host's random numbers or, by Philox
(vramlab_philox.py), from the device's. `_Known` keeps such values on the fake tensor that stands for them, as long as nothing unknown was written there.
"""
import torch
from torch._subclasses import fake_tensor
from torch._subclasses.fake_tensor import FakeTensor

from .common import aten, _beside, _has_tensor, plain_tolist, _plainly
from .drawn import DRAWN, DRAWN_AT_ONCE, DRAWN_BY_OTHERS, DRAWN_HOW, IN_PLACE_DRAWS, MOST_DRAWN, PERMUTED

# Numbers up to this many keep their values, for shapes and settings are computed from them: those of the device; those that a parameter is filled with on
# the host; and those that the host draws, is given or computes, where programs make their data and draw by it, and what the device copies or computes one by one of it.
KNOWN_VALUES = 4096
PARAMETER_VALUES = 1 << 18
MOST_KNOWN = 1 << 21
FACTORIES = {aten.arange.default, aten.arange.start, aten.arange.start_step, aten.linspace.default, aten.logspace.default,
             aten.ones.default, aten.zeros.default, aten.full.default, aten.eye.default, aten.randperm.default,
             aten.scalar_tensor.default}


class _Known:
    """Values of small tensors that follow from the program alone: masks, positions, lengths. They are computed beside the fake ones."""

    def __init__(self):
        self.drawn = 0
        self.device_draws = None                               # the state of the generator that stands for the device's
        self.spoiled = set()                                   # addresses of values into which something unknown was written
        self.kept = []

    def of(self, tensor):
        """The values, or None where they are not known."""
        if not isinstance(tensor, FakeTensor):
            return tensor if isinstance(tensor, torch.Tensor) else None
        value = getattr(tensor, "_vramlab_value", None)
        if value is not None and value.untyped_storage()._cdata not in self.spoiled:
            return value
        return tensor.constant

    def follow(self, op, args, kwargs, result):
        """Keeps what a result's values are. What a factorisation says of how it went (LAPACK's info: 0 where it found no fault) is that it went well."""
        outs = [result] if isinstance(result, torch.Tensor) else [r for r in result if isinstance(r, torch.Tensor)] \
            if isinstance(result, (list, tuple)) else []
        written = [t for given, argument in zip(args, op._schema.arguments) if argument.alias_info is not None and argument.alias_info.is_write
                   for t in (given if isinstance(given, (list, tuple)) else [given]) if hasattr(t, "_vramlab_value")] if op._schema.is_mutable else []
        if not written and not outs or op is aten._amp_update_scale_.default:    # GradScaler skips no step, and its scale stays
            return
        if op in DRAWN and outs[0].device.type == "cpu" and isinstance(outs[0], FakeTensor):
            self.draw(op, args, kwargs, outs[0])
            return
        if op in DRAWN_BY_OTHERS and outs[0].device.type == "cpu" and isinstance(outs[0], FakeTensor):
            self.draw_by_others(op, args, kwargs, outs[0])
            return
        drawn = torch.Tag.nondeterministic_seeded in op.tags
        if drawn and outs and outs[0].device.type == "cuda":
            value = _Drawing.draw(op, args, kwargs, outs[0])
            if value is not None:
                before = self.of(outs[0]) if op._schema.is_mutable else None
                if before is not None:                         # also for who sees it in parts
                    _plainly(before.copy_, value)
                else:
                    outs[0]._vramlab_value = value
                return
            if op in DRAWN_HOW and outs[0].dtype.is_floating_point and outs[0].dim():    # it is known which part lies where
                self.spoil(written)
                return
        if drawn and outs and getattr(outs[0], "constant", None) is not None:
            return                                             # it was drawn when its result was made
        values = self.compute(op, args, kwargs, outs or written)
        if values is not None:
            for out, value in zip(outs, values):
                if isinstance(out, FakeTensor) and value.shape == out.shape and value.dtype == out.dtype and value.layout == torch.strided:
                    out._vramlab_value = value
            return
        self.spoil(written)
        for out, told in zip(outs, op._schema.returns):
            if told.name == "info" and isinstance(out, FakeTensor):
                out._vramlab_value = _plainly(torch.zeros, out.shape, dtype=out.dtype)

    def spoil(self, written):
        for given in written:
            if given._vramlab_value is not None:
                self.kept.append(given._vramlab_value)         # so that its address stays its own
                self.spoiled.add(given._vramlab_value.untyped_storage()._cdata)

    def draw(self, op, args, kwargs, out):
        """The numbers that follow from the program's seed; of those that are not kept as many are drawn, so that the next ones follow, too."""
        named = {k: v for k, v in kwargs.items() if k not in ("device", "pin_memory", "layout", "memory_format") and (k != "generator" or v is None or v.device.type == "cpu")}
        fills = bool(args) and isinstance(args[0], torch.Tensor)
        if any(isinstance(v, FakeTensor) for v in args[1:]) or self.drawn + out.numel() > MOST_DRAWN:
            return
        self.drawn += out.numel()
        kept = out.numel() <= (PARAMETER_VALUES if isinstance(out, torch.nn.Parameter) else MOST_KNOWN)
        if kept or not fills and op in PERMUTED:
            value = _plainly(op, *([_plainly(torch.empty, out.shape, dtype=args[0].dtype)] if fills else []), *args[fills:], **named)
            if kept:
                out._vramlab_value = value
            return
        with fake_tensor.unset_fake_temporarily(), torch.no_grad():    # like the whole, part by part: multiples of 16
            left, part = out.numel(), torch.empty(min(out.numel(), DRAWN_AT_ONCE), dtype=out.dtype)
            while left:
                some = part[:left]
                if fills and op._schema.is_mutable:
                    op(some, *args[1:], **named)
                elif op in IN_PLACE_DRAWS:
                    IN_PLACE_DRAWS[op](some, args, named.get("generator"))
                left -= some.numel()

    def draw_by_others(self, op, args, kwargs, out):
        """Numbers of the host that others say how to draw; where those are not known as many are drawn."""
        size = max(t.numel() for t in (out, *args) if isinstance(t, torch.Tensor))
        if self.drawn + size > MOST_DRAWN:
            return
        self.drawn += size
        fills = op._schema.is_mutable or op is aten.bernoulli.p
        known = [None if not isinstance(a, torch.Tensor) else self.of(a) for a in args]
        given = [a if not isinstance(a, torch.Tensor) else _plainly(torch.full, a.shape, 0.5, dtype=a.dtype) if k is None or fills and i == 0 else k
                 for i, (a, k) in enumerate(zip(args, known))]
        value = _plainly(op, *given, **kwargs)
        missing = any(k is None and isinstance(a, torch.Tensor) for a, k in list(zip(args, known))[fills:])
        if not missing and out.numel() <= _most(out):
            out._vramlab_value = value
        elif fills and hasattr(out, "_vramlab_value"):
            self.spoil([out])

    def elsewhere(self, op, *args, **kwargs):
        """Numbers that the device draws are plausible ones here, and leave the host's as they are."""
        host = torch.get_rng_state()
        if self.device_draws is not None:
            torch.set_rng_state(self.device_draws)
        try:
            return op(*args, **kwargs)
        finally:
            self.device_draws = torch.get_rng_state()
            torch.set_rng_state(host)

    def one(self, v):
        if isinstance(v, torch.Tensor):
            value = self.of(v)
            return UNKNOWN if value is None else value
        if isinstance(v, (list, tuple)):
            return self.all_of(v)
        return torch.device("cpu") if isinstance(v, torch.device) else v

    def all_of(self, values):
        found = [self.one(v) for v in values]
        return UNKNOWN if any(v is UNKNOWN for v in found) else found

    def decided(self, op, args, outs):
        """One argument can be enough: a generation ends at its greatest length, whatever its last token was."""
        for i in range(2 if op in DECIDING else 0):
            value = self.of(args[i]) if isinstance(args[i], torch.Tensor) else None
            if value is not None and value.shape == outs[0].shape and _plainly(lambda: bool((value == DECIDING[op]).all())):
                return [_plainly(torch.full, value.shape, DECIDING[op], dtype=outs[0].dtype)]
        return None

    def compute(self, op, args, kwargs, outs):
        made = MOST_KNOWN if _is_of_data(op, args) else PARAMETER_VALUES if op in FACTORIES or op in LIKE else 0
        if op.namespace != "aten" or any(o.numel() > max(made, _most(o)) for o in outs):
            return None
        if not _has_tensor(args) and not _has_tensor(kwargs.values()) and (outs[0].dtype.is_floating_point and outs[0].dim() and op not in FACTORIES or op in EMPTY):
            return None
        if op in LIKE:                                         # whatever that one holds
            args = (_plainly(torch.empty, args[0].shape, dtype=args[0].dtype), *args[1:])
        if op in FILLS and args[0].numel() == 1 and self.of(args[0]) is None:    # whatever was there before; a larger one may have been seen in parts
            args = (_plainly(torch.empty, args[0].shape, dtype=args[0].dtype), *args[1:])
        if isinstance(kwargs.get("out"), FakeTensor) and self.of(kwargs["out"]) is None:
            kwargs = {**kwargs, "out": _plainly(torch.empty, outs[0].shape, dtype=outs[0].dtype)}
        given, args, kwargs = args, self.all_of(args), {k: self.one(v) for k, v in kwargs.items()}
        if args is UNKNOWN or any(v is UNKNOWN for v in kwargs.values()):
            return self.decided(op, given, outs)
        try:
            drawn = torch.Tag.nondeterministic_seeded in op.tags and outs[0].device.type != "cpu"
            values = _plainly(self.elsewhere, op, *args, **kwargs) if drawn else _plainly(op, *args, **kwargs)
        except (RuntimeError, NotImplementedError, IndexError):  # no kernel for the CPU, or values that a GPU would refuse too
            return None
        return [values] if isinstance(values, torch.Tensor) else [v for v in values or () if isinstance(v, torch.Tensor)]


UNKNOWN = object()
DECIDING = {aten.bitwise_or.Tensor: True, aten.logical_or.default: True, aten.bitwise_and.Tensor: 0, aten.logical_and.default: 0, aten.mul.Tensor: 0}
_known = _Known()


def _most(tensor):
    """How many elements a tensor may have for its values to be kept."""
    return KNOWN_VALUES if tensor.dtype.is_floating_point and tensor.device.type != "cpu" else MOST_KNOWN


FILLS = {aten.fill_.Scalar, aten.fill_.Tensor, aten.zero_.default}
MOVES = {aten._to_copy.default, aten.copy_.default, aten.cat.default, aten.cat.out, aten.stack.default, aten.stack.out, aten.repeat.default, aten.index.Tensor, aten.gather.default, aten.index_put_.default}


# What else moves, orders or writes over numbers; of PyTorch's tags these operations have none.
OF_DATA = {"aten::" + name for name in (
    "abs_", "lt_", "le_", "gt_", "ge_", "eq_", "ne_", "fill_", "zero_", "masked_fill", "masked_fill_", "masked_scatter", "masked_scatter_", "cumsum", "cumsum_", "cummax",
    "cummin", "cumprod", "sort", "topk", "kthvalue", "median", "scatter", "scatter_", "scatter_add", "scatter_add_", "scatter_reduce", "scatter_reduce_", "index_add",
    "index_add_", "index_select", "index_copy", "index_copy_", "index_fill", "index_fill_", "roll", "flip", "tril", "triu", "constant_pad_nd", "slice_scatter",
    "select_scatter", "masked_select", "take")}


def _is_of_data(op, args):
    """What masks and targets are made by: copies, numbers one by one, and reductions, of what needs no gradient. Their values are followed on the device as on the host."""
    return (op in MOVES or op.is_view or torch.Tag.pointwise in op.tags or torch.Tag.reduction in op.tags or op._schema.name in OF_DATA) and not _needs_gradient(args)


def _needs_gradient(values):
    return any(v.requires_grad if isinstance(v, torch.Tensor) else isinstance(v, (list, tuple)) and _needs_gradient(v) for v in values)


LIKE = {aten.zeros_like.default, aten.ones_like.default, aten.full_like.default, aten.new_zeros.default, aten.new_ones.default, aten.new_full.default}
EMPTY = {aten.empty.memory_format, aten.empty_strided.default, aten.empty_permuted.default}
vramlab_philox = _beside("vramlab_philox")                      # without it what the device draws is plausible


class _Drawing:
    """Which numbers the device draws: each of its generators, and the default one from where the program seeds it. None where that is not known, so that they are plausible ones."""

    FIRST = 1 << 40                                            # a number by which a generator is found again
    all, default = [], None

    @staticmethod
    def threads():
        device = torch.cuda.get_device_properties(0)
        return device.multi_processor_count * (device.max_threads_per_multi_processor // vramlab_philox.BLOCK) * vramlab_philox.BLOCK

    @classmethod
    def seeded(cls, seed):
        return None if vramlab_philox is None else vramlab_philox.Philox(seed, cls.threads())

    @classmethod
    def add(cls, seed):
        cls.all.append(cls.seeded(seed))
        return cls.FIRST + len(cls.all) - 1

    @classmethod
    def place(cls, generator):
        place = _plain_generator.initial_seed(generator) - cls.FIRST
        return place if 0 <= place < len(cls.all) else None

    @classmethod
    def of(cls, generator):
        if generator is None:
            return cls.default
        place = cls.place(generator)
        return None if place is None else cls.all[place]

    @classmethod
    def put(cls, generator, drawing):
        if generator is None:
            cls.default = drawing
        elif cls.place(generator) is not None:
            cls.all[cls.place(generator)] = drawing

    @classmethod
    def state(cls, generator=None):
        """As sixteen bytes of the host, which are known if the generator is."""
        made, drawing = torch.empty(16, dtype=torch.uint8), cls.of(generator)
        if not isinstance(made, FakeTensor):                   # a compilation keeps it outside of fake tensors
            return torch.empty(0, dtype=torch.uint8) if drawing is None else torch.tensor(drawing.state(), dtype=torch.uint8)
        if drawing is not None:
            made._vramlab_value = _plainly(torch.tensor, drawing.state(), dtype=torch.uint8)
        return made

    @classmethod
    def take_up(cls, state, generator=None):
        known = _known.of(state) if vramlab_philox is not None else None
        cls.put(generator, None if known is None or known.numel() != 16 else vramlab_philox.Philox.of_state(_plainly(plain_tolist, known), cls.threads()))

    @classmethod
    def draw(cls, op, args, kwargs, out):
        """The values, where they are known; moves the generator on."""
        generator = kwargs.get("generator")
        drawing = cls.of(generator)
        if drawing is None:
            return None
        try:
            values = drawing.draw(op, args, out, _most(out) if not out.dtype.is_floating_point else 0, _known.of)
        except LookupError:                                    # from here on its numbers are plausible ones
            cls.put(generator, None)
            return None
        return values and _plainly(values)


_plain_generator = torch.Generator
