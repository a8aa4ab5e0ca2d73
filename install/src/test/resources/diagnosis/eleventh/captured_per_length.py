# limit: 2.5
"""Low-latency server: one captured graph per padded length."""
import torch
from torch import nn


class MixBlock(nn.Module):
    def __init__(self, d=1024):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.up, self.down = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)

    def forward(self, x):
        return x + self.down(nn.functional.gelu(self.up(self.norm(x))))


class GraphRunner:
    def __init__(self, model, side, batch, length):
        self.x = torch.zeros(batch, length, 1024, device="cuda")
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            model(self.x)
        torch.cuda.current_stream().wait_stream(side)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.y = model(self.x)

    def __call__(self, x):
        self.x.copy_(x)
        self.graph.replay()
        return self.y.clone()


class Server:
    def __init__(self, model, batch=16):
        self.model, self.batch, self.runners = model, batch, {}
        self.side = torch.cuda.Stream()

    @torch.no_grad()
    def handle(self, x):
        length = x.shape[1]
        if length not in self.runners:
            self.runners[length] = GraphRunner(self.model, self.side, self.batch, length)
            print("captured length", length)
        return self.runners[length](x).mean().item()


def main():
    torch.manual_seed(1)
    model = nn.Sequential(*[MixBlock() for _ in range(4)]).cuda().eval()
    server = Server(model)
    for length in (256, 256, 512, 256, 768, 512, 1024, 1280, 1536):
        x = torch.randn(16, length, 1024, device="cuda")
        print(length, server.handle(x))


main()
