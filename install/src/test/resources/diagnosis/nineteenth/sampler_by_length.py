# limit: 1.5
"""Diffusion vocoder sampling, CUDA graphs for every utterance length we meet."""
import torch
from torch import nn

torch.manual_seed(19)
device = torch.device("cuda")
BATCH, CH = 8, 256
LENGTHS = [1024, 2048, 3072, 4096, 5120, 6144, 7168]


class ScoreNet(nn.Module):
    """Frame-wise score network with a global conditioning vector."""

    def __init__(self, depth=4):
        super().__init__()
        self.layers = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(CH), nn.Linear(CH, 4 * CH), nn.GELU(), nn.Linear(4 * CH, CH))
            for _ in range(depth))

    def forward(self, x, sigma):
        for layer in self.layers:
            x = x + layer(x + sigma)
        return x


class GraphedStep:
    def __init__(self, net, length):
        self.x = torch.randn(BATCH, length, CH, device=device)
        self.sigma = torch.ones(1, device=device)
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(2):
                net(self.x, self.sigma)
        torch.cuda.current_stream().wait_stream(side)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.out = self.x - 0.1 * net(self.x, self.sigma)

    def __call__(self, sigma):
        self.sigma.fill_(sigma)
        self.graph.replay()
        self.x.copy_(self.out)


class Sampler:
    def __init__(self, net):
        self.net, self.graphs = net, {}

    def sample(self, length, steps=20):
        if length not in self.graphs:
            print("capturing length", length)
            self.graphs[length] = GraphedStep(self.net, length)
        step = self.graphs[length]
        step.x.normal_()
        for i in range(steps):
            step(1.0 - i / steps)
        return step.x[:, :, 0].mean().item()


with torch.no_grad():
    net = ScoreNet().to(device).eval()
    sampler = Sampler(net)
    for round_ in range(2):
        for length in LENGTHS:
            print(f"round {round_} length {length} mean {sampler.sample(length):+.4f}")
