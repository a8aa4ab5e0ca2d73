# limit: 1.75
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

DEPTH = 16
WIDTH = 1024
ROWS = 8192


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.fc1 = nn.Linear(d, 2 * d)
        self.fc2 = nn.Linear(2 * d, d)

    def forward(self, x):
        return x + self.fc2(nn.functional.gelu(self.fc1(self.norm(x))))


class Tabular(nn.Module):
    def __init__(self, n_in=96, n_out=8):
        super().__init__()
        self.inp = nn.Linear(n_in, WIDTH)
        self.blocks = nn.ModuleList(Block(WIDTH) for _ in range(DEPTH))
        self.out = nn.Linear(WIDTH, n_out)

    def forward(self, x):
        h = self.inp(x)
        for block in self.blocks:
            h = checkpoint(block, h, use_reentrant=False)
        return self.out(h)


def rows(n):
    for _ in range(n):
        x = torch.randn(ROWS, 96, device="cuda")
        yield x, (x[:, :8] * x[:, 8:16]).tanh()


def main():
    torch.manual_seed(0)
    with torch.device("cuda"):
        model = Tabular()
    opt = torch.optim.SGD(model.parameters(), lr=1e-3)
    for step, (x, y) in enumerate(rows(25)):
        loss = nn.functional.mse_loss(model(x), y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        if step % 5 == 0:
            peak = torch.cuda.max_memory_allocated() / 2**20
            print(f"step {step} loss {loss.item():.4f} peak {peak:.0f} MiB")


if __name__ == "__main__":
    main()
