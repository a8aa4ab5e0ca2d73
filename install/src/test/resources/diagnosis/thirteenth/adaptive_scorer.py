# limit: 1.0
"""Scores documents; finds its batch size on the way."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, d=1024, depth=6):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(d, d) for _ in range(depth))

    def forward(self, x):
        total = 0
        for layer in self.layers:
            x = torch.tanh(layer(x))
            total = total + x.mean(-1)
        return total


class Scorer:
    def __init__(self, net, batch):
        self.net, self.batch = net, batch
        self.reductions = 0

    def _chunk(self, n):
        x = torch.randn(n, 1024, device="cuda")
        loss = self.net(x).square().mean()
        loss.backward()
        self.net.zero_grad(set_to_none=True)
        return loss.item()

    def run(self, total):
        done, scores = 0, []
        while done < total:
            n = min(self.batch, total - done)
            failed = False
            try:
                scores.append(self._chunk(n))
            except torch.cuda.OutOfMemoryError:
                failed = True
            if failed:
                torch.cuda.empty_cache()
                self.batch //= 2
                self.reductions += 1
                print("batch size is now", self.batch)
                continue
            done += n
        return sum(scores) / len(scores)


def main():
    torch.manual_seed(9)
    scorer = Scorer(Net().to("cuda"), batch=8192)
    for epoch, size in enumerate([8192, 16384, 65536, 65536]):
        if epoch == 1:
            scorer.batch = 32768
        print(f"epoch {epoch}: {scorer.run(size):.4f} (batch {scorer.batch}, reduced {scorer.reductions}x)")


if __name__ == "__main__":
    main()
