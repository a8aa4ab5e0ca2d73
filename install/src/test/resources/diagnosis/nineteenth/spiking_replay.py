# limit: 1.0
"""Leaky integrate-and-fire network, one simulation step captured as a CUDA graph."""
import torch

torch.manual_seed(77)
device = torch.device("cuda")


class LIF:
    def __init__(self, n=8192, dt=1.0, tau=20.0, p=0.02):
        self.n, self.decay = n, 1.0 - dt / tau
        w = 0.3 * torch.randn(n, n, device=device) / (n * p) ** 0.5
        w.mul_(torch.rand(n, n, device=device) < p)
        self.w = w
        self.v = torch.zeros(n, device=device)
        self.spikes = torch.zeros(n, device=device)
        self.drive = torch.zeros(n, device=device)
        self.rate = torch.zeros(n, device=device)

    def step(self):
        current = torch.mv(self.w, self.spikes)
        self.v.mul_(self.decay).add_(current).add_(self.drive)
        fired = (self.v > 1.0).float()
        self.v.mul_(1 - fired)
        self.spikes.copy_(fired)
        self.rate.mul_(0.99).add_(fired, alpha=0.01)


class Replayer:
    def __init__(self, net, steps_per_graph=10):
        self.net, self.k = net, steps_per_graph
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                net.step()
        torch.cuda.current_stream().wait_stream(side)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            for _ in range(self.k):
                net.step()

    def run(self, steps):
        for _ in range(steps // self.k):
            self.graph.replay()


@torch.no_grad()
def main():
    net = LIF()
    sim = Replayer(net)
    log = []
    for trial in range(20):
        net.v.zero_()
        net.spikes.zero_()
        net.drive.copy_(0.04 + 0.03 * torch.rand(net.n, device=device))
        sim.run(400)
        log.append(net.rate.cpu())
        if trial % 4 == 0:
            print(f"trial {trial:2d} mean rate {log[-1].mean().item():.4f} max {log[-1].max().item():.3f}")
    rates = torch.stack(log)
    print("trial-to-trial correlation", torch.corrcoef(rates)[0, 1:].mean().item())


main()
