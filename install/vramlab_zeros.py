"""How many elements of a tensor are not zero, for vramlab_trace.py, beside which this file lies.

Which weights a program prunes hangs on their values; how many does not: so many places are written to, a threshold has a rank, a mask is multiplied in.
A count belongs to a storage, whose views see their part of it, and goes with the first operation that may fill the zeros. Masks are taken to be set within
each other, as those of repeated pruning are.
"""
import math

import torch

ANYTHING, NOT_NEGATIVE, ONES = range(3)                        # what the elements that are not zero may be


class _Count:
    def __init__(self, count, kind, numel, size):
        self.count, self.kind, self.numel, self.size = count, kind, numel, size


class Zeros:
    """`known` gives a tensor's values or None, `hinted` how many elements of a mask are set by other rules or None."""

    def __init__(self, known, plainly, hinted):
        self.known, self.plainly, self.hinted, self.rules = known, plainly, hinted, {}

    def left(self, t):
        """How many elements of a tensor are not zero, and what they are; None where nothing is known of it."""
        if not isinstance(t, torch.Tensor) or t.layout != torch.strided:
            return None
        value = self.known(t)
        if value is not None:
            return self.plainly(_of_values, value)
        if t.dtype == torch.bool and self.hinted(t) is not None:
            return self.hinted(t), ONES
        whole = getattr(t.untyped_storage(), "_vramlab_left", None)
        if whole is None or whole.size != t.element_size() or not whole.numel:
            return None
        part, first, n = whole.count / whole.numel, t.storage_offset(), t.numel()
        if t.is_contiguous() and first + n <= whole.numel:     # parts that follow each other are together the whole
            return round(part * (first + n)) - round(part * first), whole.kind
        return round(part * n), whole.kind

    def ones(self, t):
        """How many elements are one, where all others are zero; else None."""
        found = self.left(t)
        return found[0] if found is not None and (found[1] == ONES or not found[0]) else None

    def one(self, t):
        """The value of a tensor of one element, if its count tells it."""
        return self.ones(t) if t.numel() == 1 else None

    def put(self, t, found, written):
        """Notes what is known of a result, or of a tensor that was written to, of which the storage may hold more."""
        if not isinstance(t, torch.Tensor) or t.layout != torch.strided:
            return
        storage, n = t.untyped_storage(), t.numel()
        whole, all_of_it = getattr(storage, "_vramlab_left", None), storage.nbytes() // t.element_size()
        if n == all_of_it:
            storage._vramlab_left = None if found is None else _Count(min(found[0], n), found[1], n, t.element_size())
        elif written and whole is not None:
            before, now = self.left(t), found or (n, ANYTHING)
            storage._vramlab_left = None if before is None else _Count(
                min(max(whole.count - before[0] + now[0], 0), whole.numel), min(whole.kind, now[1]), whole.numel, whole.size)

    def forget(self, values):
        for t in values:
            if isinstance(t, (list, tuple)):
                self.forget(t)
            elif isinstance(t, torch.Tensor) and t.layout == torch.strided and getattr(t.untyped_storage(), "_vramlab_left", None) is not None:
                t.untyped_storage()._vramlab_left = None

    def follow(self, op, args, kwargs, result):
        """Of an operation that writes, before the values that it writes over are given up; of others, once its result's are known."""
        if op not in self.rules:
            name = op._schema.name.partition("::")[2].removeprefix("_foreach_")
            name = name.removesuffix("_") if op._schema.is_mutable else name
            self.rules[op] = RULES.get(name) if op.namespace == "aten" else None
        rule, mutable = self.rules[op], op._schema.is_mutable
        if rule is None or kwargs.get("out") is not None or "reduce" in kwargs:
            if mutable and not op.is_view:
                self.forget(a for a, argument in zip(args, op._schema.arguments) if argument.alias_info is not None and argument.alias_info.is_write)
                self.forget([kwargs.get("out")])
            return
        outs = args[0] if mutable else result
        if not op._schema.name.startswith("aten::_foreach_"):
            outs, args = [outs], [[a] for a in args]
        else:
            args = [a if isinstance(a, (list, tuple)) else [a] * len(outs) for a in args]
        for out, *row in zip(outs, *args):
            given = list(_tensors(row)) if mutable else [out]
            if not isinstance(out, torch.Tensor) or given and all(self.known(a) is not None for a in given):    # as its values are then
                self.forget([out])
                continue
            found = rule(self, out, *row)
            if found is not None or mutable:
                self.put(out, found, mutable)

    def scaled(self, t, n):
        """What is left of a tensor that is seen in a shape of n elements."""
        found = self.left(t)
        return found if found is None or t.numel() == n or not t.numel() else (round(found[0] * n / t.numel()), found[1])

    def different(self, indices):
        """How many places indices name: of known ones each once, of others as many as there are."""
        known = self.known(indices[0]) if len(indices) == 1 else None
        return math.prod(torch.broadcast_shapes(*(i.shape for i in indices))) if known is None else self.plainly(lambda: known.unique().numel())

    def written(self, t, places, values):
        """So many places get such values: zeros go first to where zeros are, others to where none are."""
        n, before = t.numel(), self.left(t) or (t.numel(), ANYTHING)
        if isinstance(values, torch.Tensor):
            found = self.left(values) or (values.numel(), ANYTHING)
            part, kind = found[0] / max(values.numel(), 1), found[1]
        else:
            part, kind = float(values != 0), _kind(values)
        if places is None or part == 1 and before[0] == n:
            return None
        if part == 0:
            return min(before[0], n - min(places, n)), before[1]
        return min(n, before[0] - min(before[0], places) + round(part * places)), min(kind, before[1]) if before[0] else kind


def _tensors(values):
    for v in values:
        if isinstance(v, torch.Tensor):
            yield v
        elif isinstance(v, (list, tuple)):
            yield from _tensors(v)


def _of_values(value):
    whole = not value.dtype.is_complex and bool((value >= 0).all())
    return int(torch.count_nonzero(value)), ONES if whole and bool((value <= 1).all()) and not value.dtype.is_floating_point else \
        ONES if whole and bool(((value == 0) | (value == 1)).all()) else NOT_NEGATIVE if whole else ANYTHING


def _kind(number):
    return ONES if number in (0, 1) else NOT_NEGATIVE if isinstance(number, (int, float)) and number > 0 else ANYTHING


def _filled(z, out, *args):
    number = args[-1] if args and isinstance(args[-1], (int, float)) else None
    return None if number is None else (out.numel() if number else 0, _kind(number))


def _same(z, out, *args):
    found = z.scaled(args[1] if len(args) > 1 and isinstance(args[1], torch.Tensor) else args[0], out.numel())    # copy_ has its source second
    return found if found is None or out.dtype != torch.bool else (found[0], ONES)


def _as(kind):
    def rule(z, out, t, *_):
        found = z.scaled(t, out.numel())
        return None if found is None else (found[0], kind(found[1]))
    return rule


def _times(z, out, a, b=None, *_):
    n = out.numel()
    first = z.scaled(a, n)
    if not isinstance(b, torch.Tensor):
        return None if first is None else (first[0], min(first[1], _kind(b))) if b else (0, ONES)
    second = z.scaled(b, n)
    found = [f for f in (first, second) if f is not None and f[0] < n or f is not None and first is not None and second is not None]
    return None if not found else (min(f[0] for f in found), min(f[1] for f in found) if len(found) == 2 else ANYTHING)


def _joined(z, out, *args):
    tensors = args[0]
    found = [z.left(t) for t in tensors]
    if not any(found):
        return None
    return sum(t.numel() if f is None else f[0] for t, f in zip(tensors, found)), min(ANYTHING if f is None else f[1] for f in found)


def _both(z, out, a, b, *_):
    """A sum is zero where both are."""
    if not isinstance(b, torch.Tensor):
        return z.scaled(a, out.numel()) if b == 0 else None
    found = z.scaled(a, out.numel()), z.scaled(b, out.numel())
    return None if None in found else (max(f[0] for f in found), ANYTHING)


def _plus_product(z, out, a, b, c, *_):
    first, product = z.scaled(a, out.numel()), _times(z, out, b, c)
    return None if first is None or product is None else (max(first[0], product[0]), ANYTHING)


def _plus_quotient(z, out, a, b, *_):
    return _both(z, out, a, b)


def _otherwise(z, out, t, number=1, *_):
    found = z.scaled(t, out.numel())
    return (out.numel() - found[0], ONES) if found is not None and found[1] == ONES and number == 1 else None


def _either(z, out, a, b, *_):
    found = z.scaled(a, out.numel()), z.scaled(b, out.numel())
    return None if None in found else (max(f[0] for f in found), ONES)


def _of_masks(rule):
    return lambda z, out, *args: rule(z, out, *args) if out.dtype == torch.bool else None


def _compared(holds):
    """Zeros are told from the others where all of those compare alike."""
    def rule(z, out, t, number, *_):
        found = z.left(t)
        if found is None or not isinstance(number, (int, float)) or t.numel() != out.numel():
            return None
        if not found[0]:
            return out.numel() * holds(0, number), ONES
        samples = {ONES: (1,), NOT_NEGATIVE: (math.ulp(0.0), math.inf), ANYTHING: (-math.inf, -math.ulp(0.0), math.ulp(0.0), math.inf)}[found[1]]
        others = {holds(s, number) for s in samples}
        if len(others) > 1:
            return None
        return out.numel() * holds(0, number) if others == {holds(0, number)} else found[0] if others == {True} else out.numel() - found[0], ONES
    return rule


def _where(z, out, mask, a, b):
    n, chosen = out.numel(), z.scaled(mask, out.numel())
    found = [z.scaled(t, n) or (n, ANYTHING) for t in (a, b)]
    if chosen is None or found[0][0] == found[1][0] == n:
        return None
    return min(chosen[0], found[0][0]) + min(n - chosen[0], found[1][0]), min(found[0][1], found[1][1])


def _masked(z, out, t, mask, number):
    chosen = z.scaled(mask, out.numel())
    return z.written(t, None if chosen is None else chosen[0], number)


def _put(z, out, t, indices, values, added=False, *_):
    given, places = [i for i in indices if i is not None], None
    if added:
        return None
    if len(given) == 1 and given[0].dtype in (torch.bool, torch.uint8):
        chosen = z.left(given[0])
        taken = given[0].numel() if chosen is None and isinstance(values, torch.Tensor) and values.numel() > 1 else None if chosen is None else chosen[0]    # as all, where it chose
        places = None if taken is None or not given[0].numel() else round(taken * t.numel() / given[0].numel())
    elif not any(i.dtype in (torch.bool, torch.uint8) for i in given):
        indexed = math.prod(t.shape[d] for d, i in enumerate(indices) if i is not None)
        places = round(z.different(given) * t.numel() / max(indexed, 1))
    return z.written(t, places, values)


def _put_along(z, out, t, dim, index, values, *_):
    return z.written(t, index.numel() * (1 if index.dim() == t.dim() else t.numel() // max(t.shape[dim], 1)), values)


def _chosen(z, out, t, indices):
    """Masks choose what is not zero first, others their part."""
    found = z.left(t)
    if found is None:
        return None
    mask = any(i is not None and i.dtype in (torch.bool, torch.uint8) for i in indices)
    return (min(found[0], out.numel()) if mask else round(found[0] * out.numel() / max(t.numel(), 1))), found[1]


_copied, _sign_kept = _same, _as(lambda kind: kind)
RULES = {
    **{name: lambda z, out, *_: (out.numel(), ONES) for name in ("ones", "ones_like", "new_ones")},
    **{name: lambda z, out, *_: (0, ONES) for name in ("zeros", "zeros_like", "new_zeros", "zero")},
    **{name: _filled for name in ("full", "full_like", "new_full", "fill")},
    **{name: _copied for name in ("_to_copy", "clone", "copy")},
    **{name: _as(lambda kind: max(kind, NOT_NEGATIVE)) for name in ("abs", "square")},
    **{name: _as(lambda kind: min(kind, NOT_NEGATIVE)) for name in ("sqrt", "relu")},
    **{name: _as(lambda kind: ANYTHING) for name in ("neg", "tanh")},
    **{name: _sign_kept for name in ("sign", "expand_copy", "repeat")},
    "mul": _times, "logical_and": _times, "bitwise_and": _of_masks(_times), "div": lambda z, out, a, *_: _as(lambda kind: ANYTHING)(z, out, a),
    "cat": _joined, "stack": _joined, "add": _both, "sub": _both, "lerp": _both, "addcmul": _plus_product, "addcdiv": _plus_quotient,
    "rsub": _otherwise, "logical_not": _otherwise, "bitwise_not": _of_masks(_otherwise), "logical_or": _either, "bitwise_or": _of_masks(_either),
    "eq": _compared(lambda x, y: x == y), "ne": _compared(lambda x, y: x != y), "gt": _compared(lambda x, y: x > y),
    "ge": _compared(lambda x, y: x >= y), "lt": _compared(lambda x, y: x < y), "le": _compared(lambda x, y: x <= y),
    "where": _where, "masked_fill": _masked, "index_put": _put, "_index_put_impl": _put, "scatter": _put_along, "index_fill": _put_along,
    "index": _chosen, "index_select": lambda z, out, t, dim, index: _chosen(z, out, t, [index]),
}
