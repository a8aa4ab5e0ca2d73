# limit: 0.7
# mixture of experts for a control policy: "one stream per expert makes them parallel"
import torch
import torch.nn as nn

torch.manual_seed(0)
DEVICE = "cuda"
D = 192


class Expert(nn.Module):
    def __init__(self):
        super().__init__()
        self.w1 = nn.Parameter(torch.randn(D, D) / D ** 0.5)
        self.w2 = nn.Parameter(torch.randn(D, D) / D ** 0.5)

    def forward(self, x):
        return torch.tanh(x @ self.w1) @ self.w2


class Lane:
    def __init__(self):
        self.stream = torch.cuda.Stream()
        self.expert = Expert().to(DEVICE)

    def __call__(self, x):
        main = torch.cuda.current_stream()
        self.stream.wait_stream(main)
        with torch.cuda.stream(self.stream):
            y = self.expert(x)
        main.wait_stream(self.stream)
        y.record_stream(main)
        return y


class Mixture:
    def __init__(self):
        self.lanes = []
        self.router = torch.randn(D, 32, device=DEVICE)

    def add_expert(self):
        self.lanes.append(Lane())

    @torch.no_grad()
    def __call__(self, x):
        gate = (x @ self.router[:, :len(self.lanes)]).softmax(-1)
        out = torch.zeros_like(x)
        for k, lane in enumerate(self.lanes):
            out += gate[:, k:k + 1] * lane(x)
        return out


def main():
    mix = Mixture()
    total = 0.0
    for epoch in range(14):
        mix.add_expert()
        mix.add_expert()
        for _ in range(10):
            x = torch.randn(256, D, device=DEVICE)
            total += mix(x).pow(2).mean().item()
        print(f"epoch {epoch}: {len(mix.lanes)} experts, mean power {total / (10 * (epoch + 1)):.4f}, "
              f"{torch.cuda.memory_reserved() / 2**20:.0f} MiB")


main()
