# limit: 2.25
"""Inference server: a captured CUDA graph per batch-size bucket."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(25)
D, T = 1024, 256
WARMUP = torch.cuda.Stream()


class Mixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.n = nn.LayerNorm(D)
        self.a, self.b = nn.Linear(D, 4 * D), nn.Linear(4 * D, D)

    def forward(self, x):
        return x + self.b(F.gelu(self.a(self.n(x))))


class Pool(nn.Module):
    def forward(self, x):
        return x.mean(1)


class GraphRunner:
    def __init__(self, model, batch):
        self.x = torch.zeros(batch, T, D, device="cuda")
        s = WARMUP
        s.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(s), torch.no_grad():
            for _ in range(2):
                model(self.x)
        torch.cuda.current_stream().wait_stream(s)
        self.graph = torch.cuda.CUDAGraph()
        with torch.no_grad(), torch.cuda.graph(self.graph):
            self.y = model(self.x)

    def __call__(self, x):
        self.x[:len(x)].copy_(x)
        self.graph.replay()
        return self.y[:len(x)]


class Server:
    def __init__(self, model, buckets):
        self.model, self.buckets = model, buckets
        self.runners = {}

    def infer(self, x):
        b = next(k for k in self.buckets if k >= len(x))
        if b not in self.runners:
            self.runners[b] = GraphRunner(self.model, b)
            print("captured bucket", b)
        return self.runners[b](x)


def main():
    model = nn.Sequential(*[Mixer() for _ in range(6)], Pool()).cuda().eval()
    server = Server(model, buckets=list(range(8, 73, 8)))
    g = torch.Generator().manual_seed(1)
    for minute in range(9):
        for _ in range(8):
            n = int(torch.randint(1, 8 * (minute + 1) + 1, (1,), generator=g))
            y = server.infer(torch.randn(n, T, D, device="cuda"))
        print(f"minute {minute}: last output {y.mean().item():.4f}")


main()
