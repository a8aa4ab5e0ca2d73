# limit: 2.0
"""Land-cover model with the whole (small) data set resident on the GPU."""
import torch
import torch.nn as nn

torch.manual_seed(1)


class ResidentData:
    def __init__(self, n, bands=4, size=128):
        self.x = torch.empty(n, bands, size, size, device="cuda")
        for s in range(0, n, 256):
            self.x[s:s + 256].uniform_()
        self.y = (self.x[:, 0].mean((1, 2)) > 0.5).long()
        print(f"resident: {self.x.numel() * 4 / 2**30:.2f} GiB", flush=True)

    def batches(self, bs):
        order = torch.randperm(self.x.size(0), device="cuda")
        for k in range(0, len(order) - bs + 1, bs):
            idx = order[k:k + bs]
            yield self.x[idx], self.y[idx]


class Net(nn.Module):
    def __init__(self, ch=32):
        super().__init__()
        mods, c = [], 4
        for o in (ch, ch, 2 * ch, 4 * ch):
            mods += [nn.Conv2d(c, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU(inplace=True), nn.MaxPool2d(2)]
            c = o
        self.f, self.fc = nn.Sequential(*mods), nn.Linear(c, 2)

    def forward(self, x):
        return self.fc(self.f(x).mean((2, 3)))


class History(dict):
    def log(self, **kw):
        for k, v in kw.items():
            self.setdefault(k, []).append(float(v))


data = ResidentData(4500)
net = Net().cuda()
opt = torch.optim.AdamW(net.parameters(), 1e-3)
hist = History()
for epoch in range(5):
    hits = seen = 0
    for x, y in data.batches(40):
        out = net(x)
        loss = nn.functional.cross_entropy(out, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        hits += (out.argmax(1) == y).sum().item()
        seen += len(y)
        hist.log(loss=loss)
    hist.log(acc=hits / seen)
    print(f"epoch {epoch} acc {hist['acc'][-1]:.3f} peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB", flush=True)
