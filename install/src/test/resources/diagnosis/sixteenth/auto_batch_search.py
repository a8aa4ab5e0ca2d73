# limit: 1.5
"""Find the largest batch that trains, starting high and halving."""
import torch
import torch.nn as nn

torch.manual_seed(0)


class Encoder(nn.Module):
    def __init__(self, dim=512, depth=8):
        super().__init__()
        self.inp = nn.Linear(64, dim)
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim)) for _ in range(depth)
        )
        self.out = nn.Linear(dim, 64)

    def forward(self, x):
        h = self.inp(x)
        for b in self.blocks:
            h = h + b(h)
        return self.out(h)


class BatchSizeSearch:
    def __init__(self, model, opt, start):
        self.model, self.opt = model, opt
        self.batch = start
        self.attempts = []

    def try_once(self, batch):
        x = torch.randn(batch, 32, 64, device="cuda")
        pred = self.model(x)
        loss = (pred - x).square().mean()
        loss.backward()
        self.opt.step()
        self.opt.zero_grad(set_to_none=True)
        return loss.item()

    def run(self):
        while self.batch >= 8:
            try:
                loss = self.try_once(self.batch)
                print(f"batch {self.batch} fits, loss {loss:.3f}")
                return self.batch
            except torch.OutOfMemoryError as e:
                print(f"batch {self.batch} does not fit")
                self.attempts.append((self.batch, e))
                torch.cuda.empty_cache()
                self.batch //= 2
        print("history:", [b for b, _ in self.attempts])
        raise self.attempts[-1][1]


if __name__ == "__main__":
    model = Encoder().cuda()
    opt = torch.optim.SGD(model.parameters(), lr=1e-2)
    search = BatchSizeSearch(model, opt, start=512)
    best = search.run()
    for step in range(20):
        search.try_once(best)
    print("trained with batch", best)
