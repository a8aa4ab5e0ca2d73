# RCAN-like super resolution x4 with torch.utils.checkpoint per group and a custom Charbonnier autograd function
import math
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint
import torch.nn.functional as F

SCALE = 4
PATCH = 64     # low-res patch
BATCH = 16
GROUPS, BLOCKS, WIDTH = 5, 8, 64


class Charbonnier(torch.autograd.Function):
    @staticmethod
    def forward(ctx, pred, target, eps):
        diff = pred - target
        root = torch.sqrt(diff * diff + eps * eps)
        ctx.save_for_backward(diff, root)
        return root.mean()

    @staticmethod
    def backward(ctx, g):
        diff, root = ctx.saved_tensors
        return g * diff / root / diff.numel(), None, None


class ChannelAttention(nn.Module):
    def __init__(self, c, r=16):
        super().__init__()
        self.body = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(c, c // r, 1), nn.ReLU(inplace=True),
                                  nn.Conv2d(c // r, c, 1), nn.Sigmoid())

    def forward(self, x):
        return x * self.body(x)


class RCAB(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(c, c, 3, padding=1), nn.ReLU(inplace=True),
                                  nn.Conv2d(c, c, 3, padding=1), ChannelAttention(c))

    def forward(self, x):
        return x + 0.1 * self.body(x)


class Group(nn.Module):
    def __init__(self, c, n):
        super().__init__()
        self.body = nn.Sequential(*[RCAB(c) for _ in range(n)], nn.Conv2d(c, c, 3, padding=1))

    def forward(self, x):
        return x + self.body(x)


class RCAN(nn.Module):
    def __init__(self, use_checkpoint=True):
        super().__init__()
        self.use_checkpoint = use_checkpoint
        self.head = nn.Conv2d(3, WIDTH, 3, padding=1)
        self.groups = nn.ModuleList(Group(WIDTH, BLOCKS) for _ in range(GROUPS))
        up = []
        for _ in range(int(math.log2(SCALE))):
            up += [nn.Conv2d(WIDTH, 4 * WIDTH, 3, padding=1), nn.PixelShuffle(2)]
        self.tail = nn.Sequential(nn.Conv2d(WIDTH, WIDTH, 3, padding=1), *up, nn.Conv2d(WIDTH, 3, 3, padding=1))

    def forward(self, x):
        h = s = self.head(x)
        for g in self.groups:
            if self.training and self.use_checkpoint:
                h = checkpoint(g, h, use_reentrant=False)
            else:
                h = g(h)
        return self.tail(h + s)


def hr_batch(n, size, device):
    img = torch.rand(n, 3, size // 8, size // 8, device=device)
    img = F.interpolate(img, size=size, mode="bicubic", align_corners=False)
    return (img + 0.05 * torch.randn_like(img)).clamp(0, 1)


def psnr(a, b):
    return -10 * torch.log10(F.mse_loss(a.clamp(0, 1), b))


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
net = RCAN().to(device)
print("parameters:", sum(p.numel() for p in net.parameters()))
opt = torch.optim.Adam(net.parameters(), lr=2e-4, betas=(0.9, 0.99))
sched = torch.optim.lr_scheduler.StepLR(opt, 2, 0.5)

net.train()
for it in range(4):
    hr = hr_batch(BATCH, PATCH * SCALE, device)
    lr = F.interpolate(hr, scale_factor=1 / SCALE, mode="bicubic", antialias=True)
    loss = Charbonnier.apply(net(lr), hr, 1e-3)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    sched.step()
    print(f"it {it} loss {loss.item():.5f}")

net.eval()
with torch.no_grad():
    hr = hr_batch(1, 1024, device)
    lr = F.interpolate(hr, scale_factor=1 / SCALE, mode="bicubic", antialias=True)
    # self-ensemble over flips
    outs = [net(lr), net(lr.flip(-1)).flip(-1), net(lr.flip(-2)).flip(-2)]
    sr = torch.stack(outs).mean(0)
    print("PSNR single %.2f ensemble %.2f" % (psnr(outs[0], hr).item(), psnr(sr, hr).item()))
