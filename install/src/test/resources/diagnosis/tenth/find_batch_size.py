# limit: 2
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, d=1024, depth=8):
        super().__init__()
        self.inp = nn.Linear(256, d)
        self.blocks = nn.ModuleList(nn.Sequential(nn.Linear(d, d), nn.GELU(), nn.LayerNorm(d)) for _ in range(depth))
        self.out = nn.Linear(d, 10)

    def forward(self, x):
        h = self.inp(x)
        for block in self.blocks:
            h = h + block(h)
        return self.out(h)


def one_step(model, opt, batch):
    x = torch.randn(batch, 128, 256, device="cuda")
    y = torch.randint(0, 10, (batch, 128), device="cuda")
    loss = nn.functional.cross_entropy(model(x).flatten(0, 1), y.flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


def find_batch(model, opt, candidates=(512, 256, 128, 64, 32)):
    report = []
    for batch in candidates:
        try:
            one_step(model, opt, batch)
            return batch, report
        except torch.OutOfMemoryError as error:
            report.append((batch, error))
            print("batch", batch, "does not fit")
            torch.cuda.empty_cache()
    return 16, report


model = Net().cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
batch, report = find_batch(model, opt)
print("training with", batch)
for step in range(20):
    print(step, one_step(model, opt, batch))
for size, error in report:
    print(size, str(error)[:60])
