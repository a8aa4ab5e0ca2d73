# limit: 1.5
# batched game tree evaluator, CUDA graphs for all the batch sizes (big ones first)
import torch
import torch.nn as nn


class ValueNet(nn.Module):
    def __init__(self, c=64, blocks=6):
        super().__init__()
        self.stem = nn.Conv2d(17, c, 3, padding=1)
        self.body = nn.ModuleList(nn.Conv2d(c, c, 3, padding=1) for _ in range(blocks))
        self.value = nn.Linear(c * 81, 1)

    def forward(self, x):
        h = torch.relu(self.stem(x))
        for conv in self.body:
            h = torch.relu(h + conv(h))
        return torch.tanh(self.value(h.flatten(1)))


class Evaluator:
    SIZES = [4096, 3072, 2048, 1024, 512, 256]

    def __init__(self, net):
        self.net = net
        self.boards = torch.zeros(self.SIZES[0], 17, 9, 9, device="cuda")
        self.pool = None
        self.graphs = {}

    @torch.no_grad()
    def record_all(self):
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for n in self.SIZES:
                self.net(self.boards[:n])
        torch.cuda.current_stream().wait_stream(side)
        for n in self.SIZES:
            g = torch.cuda.CUDAGraph()
            with torch.cuda.graph(g, pool=self.pool):
                out = self.net(self.boards[:n])
            self.pool = self.pool or g.pool()
            self.graphs[n] = (g, out)
            print(f"batch {n}: {torch.cuda.memory_reserved() / 2**20:.0f} MiB reserved")

    def __call__(self, boards):
        n = min(s for s in self.SIZES if s >= len(boards))
        g, out = self.graphs[n]
        self.boards[: len(boards)].copy_(boards)
        g.replay()
        return out[: len(boards)].squeeze(1).clone()


def main():
    torch.manual_seed(0)
    ev = Evaluator(ValueNet().cuda().eval())
    ev.record_all()
    gen = torch.Generator().manual_seed(1)
    best = -1.0
    for move in range(200):
        n = int(torch.randint(1, 4097, (1,), generator=gen))
        boards = (torch.rand(n, 17, 9, 9, device="cuda") > 0.7).float()
        best = max(best, ev(boards).max().item())
        if move % 40 == 0:
            print("move", move, "leaves", n, "best", round(best, 4))


main()
