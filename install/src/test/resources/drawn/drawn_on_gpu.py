"""Prints how far each operation moves the default generator of the GPU on, and numbers that were drawn. The recorder should print the same lines:
    python drawn_on_gpu.py > gpu.txt ; python vramlab_trace.py -o x.trace --device H100-80GB drawn_on_gpu.py > recorded.txt ; diff gpu.txt recorded.txt
"""
import torch
import torch.nn.functional as F

def used():
    return int.from_bytes(bytes(torch.cuda.get_rng_state()[8:].tolist()), "little")

def after(name, call):
    torch.manual_seed(11)
    before = used()
    try:
        call()
    except Exception as e:
        return print(name, type(e).__name__)
    print(name, used() - before)

c = "cuda"
q = torch.zeros(2, 4, 96, 64, device=c, dtype=torch.bfloat16)
long, odd = torch.zeros(5_000_000, device=c), torch.zeros(70_001, device=c)
for name, call in {
    "rand": lambda: torch.rand(1_000, device=c), "rand 5e6": lambda: torch.rand(5_000_000, device=c), "rand double": lambda: torch.rand(3_000_000, device=c, dtype=torch.float64),
    "rand half": lambda: torch.rand(70_001, device=c, dtype=torch.float16), "randn": lambda: torch.randn(70_001, device=c), "rand_like": lambda: torch.rand_like(odd),
    "randint": lambda: torch.randint(0, 1000, (5_000_000,), device=c), "randint wide": lambda: torch.randint(0, 1 << 40, (5_000_000,), device=c),
    "random_": lambda: odd.random_(), "random_ int64": lambda: torch.zeros(5_000_000, device=c, dtype=torch.int64).random_(), "bernoulli_": lambda: long.bernoulli_(0.3),
    "bernoulli of each": lambda: torch.bernoulli(torch.full((70_001,), 0.3, device=c)), "exponential_": lambda: long.exponential_(), "geometric_": lambda: long.geometric_(0.3),
    "cauchy_": lambda: long.cauchy_(), "log_normal_": lambda: long.log_normal_(), "normal of tensors": lambda: torch.normal(odd, 1.0),
    "dropout": lambda: F.dropout(long, 0.1), "dropout2d": lambda: F.dropout2d(torch.zeros(8, 16, 4, 4, device=c), 0.1), "alpha_dropout": lambda: F.alpha_dropout(odd, 0.1, training=True),
    "randperm": lambda: torch.randperm(1_000, device=c), "randperm long": lambda: torch.randperm(70_001, device=c),
    "multinomial once": lambda: torch.multinomial(torch.ones(8, 1_000, device=c), 1, True), "multinomial": lambda: torch.multinomial(torch.ones(8, 1_000, device=c), 5),
    "multinomial again": lambda: torch.multinomial(torch.ones(8, 1_000, device=c), 5, True), "poisson": lambda: torch.poisson(torch.ones(1_000, device=c)),
    "gamma": lambda: torch._standard_gamma(torch.ones(1_000, device=c)), "dirichlet": lambda: torch._sample_dirichlet(torch.ones(8, 10, device=c)),
    "binomial": lambda: torch.binomial(torch.full((100,), 10.0, device=c), torch.full((100,), 0.5, device=c)),
    "rrelu": lambda: F.rrelu(odd, training=True), "gumbel": lambda: F.gumbel_softmax(torch.zeros(8, 10, device=c)),
    "attention flash": lambda: torch.ops.aten._scaled_dot_product_flash_attention(q, q, q, 0.1),
    "attention efficient": lambda: torch.ops.aten._scaled_dot_product_efficient_attention(q, q, q, None, True, 0.1),
    "attention cudnn": lambda: torch.ops.aten._scaled_dot_product_cudnn_attention(q, q, q, None, True, 0.1),
    "lstm with dropout": lambda: torch.nn.LSTM(8, 8, 2, dropout=0.1).cuda()(torch.zeros(3, 2, 8, device=c)),
}.items():
    after(name, call)
torch.manual_seed(12)
x = torch.rand(200_000, device=c)
print("below", [int((x < b).sum()) for b in (0.1, 0.15, 0.5)])
print("normal above", [int((torch.randn(200_000, device=c) > b).sum()) for b in (-1.0, 0.0, 2.0)])
print("coins", int(torch.empty(100_000, device=c).bernoulli_(0.3).sum()), int(torch.bernoulli(torch.full((100_000,), 0.3, device=c)).sum()))
print("half", int((torch.rand(100_000, device=c, dtype=torch.bfloat16) < 0.15).sum()))
print("lengths", torch.randint(5, 500, (8,), device=c).tolist(), torch.unique(torch.randint(0, 5000, (9_000,), device=c)).numel())
