"""Random numbers: which operations draw them on the host, and how they lie.

Programs decide by what the host draws, so it is drawn as the program would, from its own seed. Of what the device draws mostly only the distribution is
known: which part of the numbers lies below a bound. That is enough to tell how many a mask of them selects (`parts`).
"""
import math

from .common import aten

# Random numbers of the host, which programs decide by: drawn as the program would.
_UNIFORM = (aten.rand.default, aten.rand.generator, aten.rand_like.default)
_NORMAL = (aten.randn.default, aten.randn.generator, aten.randn_like.default)
_BELOW = (aten.randint.default, aten.randint.generator, aten.randint_like.default)
_BETWEEN = (aten.randint.low, aten.randint.low_generator, aten.randint_like.low_dtype)
PERMUTED = {aten.randperm.generator}
_numbers = lambda args: [a for a in args if isinstance(a, int)]
IN_PLACE_DRAWS = {**{op: lambda t, args, g: t.uniform_(generator=g) for op in _UNIFORM}, **{op: lambda t, args, g: t.normal_(generator=g) for op in _NORMAL},
                  **{op: lambda t, args, g: t.random_(0, _numbers(args)[0], generator=g) for op in _BELOW},
                  **{op: lambda t, args, g: t.random_(*_numbers(args)[:2], generator=g) for op in _BETWEEN}}
DRAWN = {*IN_PLACE_DRAWS, *PERMUTED, aten.uniform_.default, aten.normal_.default, aten.bernoulli_.float, aten.exponential_.default, aten.random_.default,
         aten.random_.to, getattr(aten.random_, "from")}
DRAWN_BY_OTHERS = {aten.bernoulli.default, aten.bernoulli.p, aten.bernoulli_.Tensor, aten.multinomial.default, aten.poisson.default, aten.normal.Tensor_float,
                   aten.normal.float_Tensor, aten.normal.Tensor_Tensor}
MOST_DRAWN = 1 << 29                                           # some seconds
DRAWN_AT_ONCE = 1 << 26


# Of numbers that are drawn it is known which part of them lies below a bound, wherever they are drawn: part(bound, whether the bound is meant too).
def _evenly(low=0, high=1, *_):
    return lambda bound, within: min(max((bound - low) / (high - low), 0.0), 1.0) if high > low else float(bound > low)


def _by_the_curve(mean=0, deviation=1, *_):
    return lambda bound, within: 0.5 * math.erfc((mean - bound) / (deviation * math.sqrt(2))) if deviation else float(bound > mean)


def _whole(numbers):
    low, high = numbers[:2] if len(numbers) > 1 else (0, numbers[0])
    return lambda bound, within: min(max(((math.floor(bound) + 1 if within else math.ceil(bound)) - low) / (high - low), 0.0), 1.0)


def _coins(ones=0.5, *_):
    return lambda bound, within: 0.0 if bound < 0 or bound == 0 and not within else 1.0 if bound > 1 or bound == 1 and within else 1 - ones


DRAWN_HOW = {**{op: lambda args: _evenly() for op in _UNIFORM}, **{op: lambda args: _by_the_curve() for op in _NORMAL},
             **{op: lambda args: _whole(_numbers(args)) for op in (*_BELOW, *_BETWEEN, aten.random_.to, getattr(aten.random_, "from"))},
             aten.uniform_.default: lambda args: _evenly(*args[1:]), aten.normal_.default: lambda args: _by_the_curve(*args[1:]),
             aten.bernoulli.p: lambda args: _coins(*args[1:]), aten.bernoulli_.float: lambda args: _coins(*args[1:])}
