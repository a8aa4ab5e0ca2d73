"""Numbers that a GPU draws, computed without one, for vramlab_trace.py, beside which this file lies.

Philox 4x32-10 of cuRAND with a sequence for each thread, as PyTorch 2.11 draws by it: what a number becomes, how many threads draw, and how far each
operation moves the generator on (aten/src/ATen/native/cuda: DistributionTemplates.h, Distributions.cu, Dropout.cu, Randperm.cu, and attention's sources).
"""
import math

import torch

aten = torch.ops.aten
MULTIPLIERS, STEPS, LOW_HALF = (0xD2511F53, 0xCD9E8D57), (0x9E3779B9, 0xBB67AE85), 0xFFFFFFFF
BLOCK, WORDS = 256, 4
WIDE = 1 << 28                                                 # from that many whole numbers on each is made of two words
MOST_FLOATS = 1 << 18                                          # whose values are computed
MOST_EVEN = 1 << 21                                            # of those that masks are made of
UNIFORM = {aten.rand.default, aten.rand.generator, aten.rand_like.default, aten.rand_like.generator, aten.uniform_.default}
NORMAL = {aten.randn.default, aten.randn.generator, aten.randn_like.default, aten.randn_like.generator, aten.normal_.default}
WHOLE = {aten.randint.default, aten.randint.generator, aten.randint_like.default, aten.randint.low, aten.randint.low_generator, aten.randint_like.low_dtype,
         aten.random_.to, getattr(aten.random_, "from")}
COINS = {aten.bernoulli_.float: 1, aten.bernoulli.p: 1}        # and where their probability stands
COINS_OF_EACH = {aten.bernoulli.default: 0, aten.bernoulli_.Tensor: 1}
ONE_BY_ONE = {aten.exponential_.default, aten.geometric_.default, aten.cauchy_.default, aten.log_normal_.default, aten.normal.Tensor_float,
              aten.normal.float_Tensor, aten.normal.Tensor_Tensor}
SLOPES = {aten.rrelu_with_noise.default, aten.rrelu_with_noise_.default}
# By how many counters operations move the generator on whatever their size is.
FIXED = {aten.poisson.default: 5, aten._standard_gamma.default: 3, aten._sample_dirichlet.default: 3, aten.binomial.default: 11,
         aten._cudnn_rnn.default: 0, aten._cudnn_init_dropout_state.default: 0}
MOST_ROWS_AT_ONCE = 65535                                      # a grid's second size
WORDS_OF_A_HEAD = 32


class Philox:
    """A generator: its seed, and how many counters, of four words for each thread, are used up. `threads` is how many a GPU runs at once."""

    def __init__(self, seed, threads, used=0):
        self.seed, self.threads, self.used = seed & (1 << 64) - 1, threads, used

    @classmethod
    def of_state(cls, numbers, threads):
        """From the sixteen bytes that get_rng_state gives: seed and offset, which counts words."""
        data = bytes(numbers)
        return cls(int.from_bytes(data[:8], "little"), threads, int.from_bytes(data[8:], "little") // WORDS)

    def state(self):
        return list(self.seed.to_bytes(8, "little") + (self.used * WORDS).to_bytes(8, "little"))

    def draw(self, op, args, out, most, known):
        """Draws what an operation does, and moves on: a function that computes it, None where that is not kept. LookupError where it is not known how far it moves.

        `most` is how many whole numbers are kept, and `known` a function that gives a tensor's values or None."""
        count, numbers = out.numel(), [a for a in args if isinstance(a, (int, float)) and not isinstance(a, bool)]
        double = out.dtype == torch.float64
        if op in COINS_OF_EACH:
            return self.coins_of_each(known(args[COINS_OF_EACH[op]]), out) if count else None
        if op in UNIFORM:
            low, high = [*map(float, numbers), 0.0, 1.0][:2] if op is aten.uniform_.default and numbers else (0.0, 1.0)
            make = lambda x: self.as_typed(self.unit(x) * (high - low) + low, out.dtype, high, low)
        elif op in NORMAL:
            mean, deviation = [*map(float, numbers), 0.0, 1.0][:2] if op is aten.normal_.default and len(numbers) == 2 else (0.0, 1.0)
            make = lambda x: (self.normal(x) * deviation + mean).to(out.dtype)
        elif op in COINS:
            chance = args[COINS[op]] if len(args) > COINS[op] else 0.5
            make = lambda x: (self.unit(x).double() < chance).to(out.dtype)
        elif op in WHOLE and len(numbers) > (op is getattr(aten.random_, "from")):
            low, high = numbers[:2] if len(numbers) > 1 else (0, *numbers)
            double = high - low >= WIDE
            make = lambda x: (x.reshape(-1) % (high - low) + low).to(out.dtype)
            return self.numbers(count, double, None if double or out.dtype.is_floating_point or count > most or not out.is_contiguous() else make, out)
        else:
            self.move(op, args, out)
            return None
        kept = not double and count <= (MOST_EVEN if op in UNIFORM or op in COINS else MOST_FLOATS) and out.is_contiguous()
        return self.numbers(count, double, (lambda x: make(x).reshape(-1)) if kept else None, out)

    def move(self, op, args, out):
        """Moves on by what operations use whose results are not computed here."""
        named = {a.name: args[i] if i < len(args) else a.default_value for i, a in enumerate(op._schema.arguments)}
        if op in FIXED:
            self.used += FIXED[op]
        elif op in ONE_BY_ONE:
            self.numbers(out.numel(), out.dtype == torch.float64)
        elif op is aten.random_.default:
            self.numbers(out.numel(), out.dtype in (torch.float64, torch.int64))
        elif op is aten.native_dropout.default:
            if named["train"] is not False and named["p"] != 1:
                self.numbers(out.numel(), False)
        elif op in SLOPES:
            if named["training"]:
                self.numbers(out.numel(), out.dtype == torch.float64)
        elif op is aten.multinomial.default:                   # the largest of as many exponential numbers, or a search for each row
            scores = named["self"]
            if not named["replacement"] or named["num_samples"] == 1:
                self.numbers(scores.numel(), scores.dtype == torch.float64)
            else:
                rows = 1 if scores.dim() == 1 else scores.shape[0]
                self.used += -(-rows // min(rows, MOST_ROWS_AT_ONCE))
        elif op in (aten.randperm.default, aten.randperm.generator):
            self.numbers(out.numel(), True)                    # keys, which are sorted; then what parts equal ones
            self.used += -(-out.numel() // WORDS)
        elif named.get("dropout_p") == 0:
            return
        elif op is aten._scaled_dot_product_flash_attention.default:
            self.used += args[0].shape[0] * args[0].shape[1] * WORDS_OF_A_HEAD // WORDS
        elif op in (aten._scaled_dot_product_efficient_attention.default, aten._scaled_dot_product_cudnn_attention.default):
            self.used += -(-math.prod(args[0].shape[:3]) * args[1].shape[2] // WORDS)
        else:
            raise LookupError(op)

    def numbers(self, count, double, make=None, out=None):
        """So many numbers, one after the other in memory, four of each counter, or two where each is made of two words."""
        if not count:
            return None
        at_once = WORDS // 2 if double else WORDS
        threads, first = min(self.threads, -(-count // BLOCK) * BLOCK), self.used
        rounds = (count - 1) // (threads * at_once) + 1
        self.used += rounds
        return make and (lambda: torch.cat([make(self.words(first + r, torch.arange(threads))) for r in range(rounds)])[:count].reshape(out.shape))

    def coins_of_each(self, chances, out):
        """Four elements that lie side by side for each thread."""
        first = self.used
        self.used += 3
        if chances is None or out.dtype == torch.float64 or out.numel() > MOST_FLOATS or not out.is_contiguous():
            return None
        threads = -(-out.numel() // WORDS)
        return lambda: (self.unit(self.words(first, torch.arange(threads)).t().reshape(-1)[:out.numel()].reshape(out.shape)) <= chances.float()).to(out.dtype)

    def words(self, counter, threads):
        """Four rows of numbers of 32 bits, a column for each thread."""
        a, b = torch.full(threads.shape, counter & LOW_HALF), torch.full(threads.shape, counter >> 32)
        c, d = threads, torch.zeros(threads.shape, dtype=torch.int64)
        keys = [self.seed & LOW_HALF, self.seed >> 32]
        for _ in range(10):
            first, second = a * MULTIPLIERS[0], c * MULTIPLIERS[1]
            a, b, c, d = (second >> 32 & LOW_HALF) ^ b ^ keys[0], second & LOW_HALF, (first >> 32 & LOW_HALF) ^ d ^ keys[1], first & LOW_HALF
            keys = [key + step & LOW_HALF for key, step in zip(keys, STEPS)]
        return torch.stack([a, b, c, d])

    @staticmethod
    def unit(words):
        """From 0, left out, to 1: as float32, rounded once."""
        return (words.float().double() * 2.0 ** -32 + 2.0 ** -33).float()

    @staticmethod
    def as_typed(values, dtype, high, low):
        """The upper end becomes the lower one."""
        values = values.to(dtype)
        return torch.where(values == high, torch.full((), low, dtype=dtype), values)

    def normal(self, words):
        """Box and Muller: of two words a sine and a cosine."""
        length, turn = torch.sqrt(-2 * torch.log(self.unit(words[0::2]))), self.unit(words[1::2]) * (2 * math.pi)
        return torch.stack([length * torch.sin(turn), length * torch.cos(turn)], 1).reshape(words.shape)
