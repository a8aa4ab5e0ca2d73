# limit: 2.5
"""Captured forward passes for four batch sizes of a ranking model."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(15)
D, T = 1024, 256


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(D)
        self.up, self.down = nn.Linear(D, 4 * D), nn.Linear(4 * D, D)

    def forward(self, x):
        return x + self.down(F.gelu(self.up(self.norm(x))))


class Captured:
    side = None

    def __init__(self, model, bs, pool=None):
        self.inp = torch.zeros(bs, T, D, device="cuda")
        Captured.side = Captured.side or torch.cuda.Stream()
        Captured.side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(Captured.side), torch.no_grad():
            model(self.inp)
        torch.cuda.current_stream().wait_stream(Captured.side)
        self.graph = torch.cuda.CUDAGraph()
        with torch.no_grad(), torch.cuda.graph(self.graph, pool=pool):
            self.out = model(self.inp)

    def run(self, x):
        n = len(x)
        self.inp[:n].copy_(x)
        self.graph.replay()
        return self.out[:n].mean((1, 2)).tolist()


def main():
    model = nn.Sequential(*[Layer() for _ in range(6)]).cuda().eval()
    captured, pool = {}, None
    for bs in (80, 56, 32, 16):
        captured[bs] = Captured(model, bs, pool)
        pool = pool or captured[bs].graph.pool()
        print(f"bs {bs}: reserved {torch.cuda.memory_reserved() / 2 ** 20:.0f} MiB")
    g = torch.Generator().manual_seed(5)
    for request in range(60):
        n = int(torch.randint(1, 81, (1,), generator=g))
        bs = min(k for k in captured if k >= n)
        scores = captured[bs].run(torch.randn(n, T, D, device="cuda"))
        if request % 15 == 0:
            print(f"request {request}: {n} items in graph {bs}, first score {scores[0]:.4f}")


main()
