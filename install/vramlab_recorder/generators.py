"""Generators of random numbers of a device that is not there.

`known._Drawing` knows which numbers they draw; here is the object that programs hold, seed and hand to operations.
"""
import torch

from .known import _Drawing, _known, _plain_generator

CUDA_SEED = 67280421310721                                     # default_rng_seed_val (c10/core/GeneratorImpl.h)


class _AnyGenerator(type):
    def __instancecheck__(cls, value):
        return isinstance(value, _plain_generator)


class _Generator(_plain_generator, metaclass=_AnyGenerator):
    """A generator of random numbers of a device that is not there; it takes none of its memory."""

    def __new__(cls, device="cpu"):
        return _plain_generator.__new__(cls, "cpu")

    def __init__(self, device="cpu"):
        self.of = torch.device(device)
        if self.of.type == "cuda":
            self.manual_seed(CUDA_SEED)

    @property
    def device(self):
        return self.of

    def manual_seed(self, seed):
        if self.of.type != "cuda":
            return super().manual_seed(seed)
        self.given = seed
        return super().manual_seed(_Drawing.add(seed))         # operations are given another object with this number

    def initial_seed(self):
        return super().initial_seed() if self.of.type != "cuda" else self.given

    def get_state(self):
        return super().get_state() if self.of.type != "cuda" else _Drawing.state(self)

    def set_state(self, state):
        if self.of.type == "cuda":
            _Drawing.take_up(state, self)
            return self
        known = _known.of(state)
        return self if known is None else super().set_state(known)
