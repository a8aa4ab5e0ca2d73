# limit: 1.4
import torch
from torch import nn

DIM = 1024


class Stack(nn.Module):
    def __init__(self, depth=8):
        super().__init__()
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(DIM), nn.Linear(DIM, 4 * DIM), nn.GELU(), nn.Linear(4 * DIM, DIM))
            for _ in range(depth))

    def forward(self, x):
        for b in self.blocks:
            x = x + b(x)
        return x


class Runner:
    def __init__(self, model, sizes):
        self.model = model
        self.inp = torch.zeros(max(sizes), DIM, device="cuda")
        self.out = torch.zeros(max(sizes), DIM, device="cuda")
        self.graphs = {}
        self.pool = None
        for n in sorted(sizes, reverse=True):
            self.capture(n)

    def body(self, n):
        self.out[:n].copy_(self.model(self.inp[:n]))

    @torch.no_grad()
    def capture(self, n):
        if self.pool is None:
            self.body(n)
            torch.cuda.synchronize()
        g = torch.cuda.CUDAGraph()
        with torch.cuda.graph(g, pool=self.pool):
            self.body(n)
        if self.pool is None:
            self.pool = g.pool()
        self.graphs[n] = g

    def __call__(self, x):
        n = min(k for k in self.graphs if k >= len(x))
        self.inp[: len(x)].copy_(x)
        self.graphs[n].replay()
        return self.out[: len(x)].clone()


def main():
    torch.manual_seed(1)
    runner = Runner(Stack().to("cuda").eval(), sizes=[64, 128, 256, 512, 1024, 2048, 4096, 8192])
    print(f"{len(runner.graphs)} graphs, {torch.cuda.memory_reserved() / 2**20:.0f} MiB reserved")
    gen = torch.Generator().manual_seed(1)
    for i in range(200):
        n = int(torch.randint(1, 8192, (1,), generator=gen))
        y = runner(torch.randn(n, DIM, device="cuda"))
        if i % 40 == 0:
            print(i, n, f"{y.mean().item():.4f}")


if __name__ == "__main__":
    main()
