# limit: 2.0
# find the largest batch for my conv encoder automatically
import torch
import torch.nn as nn

torch.manual_seed(0)
dev = "cuda"


class Encoder(nn.Module):
    def __init__(self, c=64, depth=8):
        super().__init__()
        self.stem = nn.Conv2d(3, c, 3, padding=1)
        self.convs = nn.ModuleList(nn.Conv2d(c, c, 3, padding=1) for _ in range(depth))
        self.head = nn.Linear(c, 10)

    def forward(self, x):
        feats = [self.stem(x)]
        for conv in self.convs:
            feats.append(torch.relu(conv(feats[-1])))
        return self.head(feats[-1].mean((2, 3)))


class BatchFinder:
    def __init__(self, model, start=32, stop=512):
        self.model, self.start, self.stop = model, start, stop
        self.opt = torch.optim.SGD(model.parameters(), lr=0.01)
        self.tried = {}

    def one_step(self, n):
        x = torch.rand(n, 3, 64, 64, device=dev)
        y = torch.randint(0, 10, (n,), device=dev)
        loss = nn.functional.cross_entropy(self.model(x), y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def fits(self, n):
        try:
            self.tried[n] = self.one_step(n)
            return True
        except torch.cuda.OutOfMemoryError as err:
            self.tried[n] = err
            torch.cuda.empty_cache()
            return False

    def search(self):
        n = self.start
        while n <= self.stop and self.fits(n):
            print("batch", n, "fits")
            n *= 2
        n //= 2
        # something below the failing size, with a margin
        for cand in (int(n * 1.5), int(n * 1.25), n, n // 2):
            if self.fits(cand):
                return cand
            print("batch", cand, "does not fit")
        return None


finder = BatchFinder(Encoder().to(dev))
best = finder.search()
print("chosen:", best)
best = best or 32
for step in range(30):
    loss = finder.one_step(best)
    if step % 10 == 0:
        print(step, loss)
