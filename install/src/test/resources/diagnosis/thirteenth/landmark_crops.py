# limit: 1.3
# Hand-landmark study: detect, crop, describe; afterwards a refinement network on the full frames.
import torch
import torch.nn as nn

torch.manual_seed(50)
D = torch.device("cuda")


class Describer(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Conv2d(3, 8, 7, stride=8)
        self.fc = nn.Linear(8, 21 * 512)

    def forward(self, crop):
        return self.fc(self.c(crop[None]).mean((2, 3)))


class FrameRefiner(nn.Module):
    def __init__(self, ch=24):
        super().__init__()
        self.layers = nn.ModuleList(
            [nn.Conv2d(3, ch, 3, padding=1)] + [nn.Conv2d(ch, ch, 3, padding=1) for _ in range(3)])
        self.out = nn.Conv2d(ch, 3, 1)

    def forward(self, x):
        h = x
        for c in self.layers:
            h = torch.relu(c(h))
        return self.out(h)


class Gallery:
    def __init__(self):
        self.crops, self.desc = [], []

    def add(self, crop, desc):
        self.crops.append(crop)
        self.desc.append(desc)

    def write_previews(self):
        means = [c.mean().item() for c in self.crops[::50]]
        print("previews", len(means), flush=True)
        self.crops = []


def collect(gallery, describer, n):
    with torch.no_grad():
        for i in range(n):
            frame = torch.rand(3, 300, 300, device=D)
            r = int(torch.randint(0, 60, (1,)))
            crop = frame[:, r:r + 233, r:r + 233].contiguous()
            gallery.add(crop, describer(crop))


def refine(steps, bs):
    net = FrameRefiner().to(D)
    opt = torch.optim.Adam(net.parameters(), 1e-3)
    for k in range(steps):
        x = torch.rand(bs, 3, 384, 384, device=D)
        loss = (net(x + 0.1 * torch.randn_like(x)) - x).abs().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print("refined", loss.item(), flush=True)


g, describer = Gallery(), Describer().to(D)
refine(5, 8)
collect(g, describer, 1500)
print("collected", len(g.desc), flush=True)
g.write_previews()
refine(10, 8)
print(torch.cat(g.desc).std(0).mean().item())
