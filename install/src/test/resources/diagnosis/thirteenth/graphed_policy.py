# limit: 1.0
# policy server: record a graph per batch size the first time it is asked for
import torch
import torch.nn as nn

torch.manual_seed(9)
WIDTH = 4096


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(256, WIDTH)
        self.l2 = nn.Linear(WIDTH, WIDTH)
        self.l3 = nn.Linear(WIDTH, WIDTH)
        self.head = nn.Linear(WIDTH, 18)

    def forward(self, x):
        h = torch.tanh(self.l1(x))
        h = h + torch.tanh(self.l2(h))
        h = h + torch.tanh(self.l3(h))
        return self.head(h)


class GraphRunner:
    def __init__(self, model):
        self.model = model
        self.graphs = {}
        self.side = torch.cuda.Stream()

    @torch.no_grad()
    def record(self, n):
        static_in = torch.zeros(n, 256, device="cuda")
        side = self.side
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(2):
                self.model(static_in)
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            static_out = self.model(static_in)
        self.graphs[n] = (graph, static_in, static_out)
        print(f"recorded batch {n}, {torch.cuda.memory_reserved() / 2**20:.0f} MiB reserved")

    def __call__(self, x):
        n = x.shape[0]
        if n not in self.graphs:
            self.record(n)
        graph, i, o = self.graphs[n]
        i.copy_(x)
        graph.replay()
        return o.clone()


def main():
    run = GraphRunner(Policy().cuda().eval())
    sizes = [512 * k for k in range(1, 11)]
    for phase, n in enumerate(sizes):
        acc = 0.0
        for _ in range(20):
            obs = torch.randn(n, 256, device="cuda")
            acc += run(obs).argmax(-1).float().mean().item()
        print(f"phase {phase}: batch {n}, mean action {acc / 20:.3f}")


if __name__ == "__main__":
    main()
