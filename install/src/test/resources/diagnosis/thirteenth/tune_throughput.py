# limit: 1.5
"""Find the largest batch that a scorer can take, then score with it."""
import torch
from torch import nn

WIDTH = 2048


class Scorer(nn.Module):
    def __init__(self, depth=6):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(WIDTH, WIDTH) for _ in range(depth))

    def forward(self, x, keep_all=True):
        hidden = []
        for layer in self.layers:
            x = torch.relu(layer(x))
            hidden.append(x)
        return torch.stack([h.mean(-1) for h in hidden]).mean(0)


class BatchTuner:
    def __init__(self, model):
        self.model = model
        self.errors = {}

    @torch.no_grad()
    def attempt(self, n):
        x = torch.randn(n, WIDTH, device="cuda")
        score = self.model(x)
        return score.mean().item()

    def search(self, start=40000):
        n = start
        while n >= 2500:
            try:
                value = self.attempt(n)
                print(f"batch {n} works ({value:.4f})")
                return n
            except torch.cuda.OutOfMemoryError as err:
                print(f"batch {n} does not fit")
                self.errors[n] = err
                n = int(n * 0.8)
        raise RuntimeError("no batch size fits") from self.errors[min(self.errors)]


def main():
    torch.manual_seed(0)
    model = Scorer().to("cuda").eval()
    tuner = BatchTuner(model)
    with torch.no_grad():
        print("smoke", tuner.attempt(1000), tuner.attempt(5000))
    n = tuner.search()
    for i in range(8):
        print(i, tuner.attempt(n))


if __name__ == "__main__":
    main()
