import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


def double(i, o):
    return nn.Sequential(nn.Conv3d(i, o, 3, padding=1, bias=False), nn.InstanceNorm3d(o, affine=True), nn.LeakyReLU(0.01, inplace=True),
                         nn.Conv3d(o, o, 3, padding=1, bias=False), nn.InstanceNorm3d(o, affine=True), nn.LeakyReLU(0.01, inplace=True))


class UNet3d(nn.Module):
    def __init__(self, widths=(16, 32, 64, 128), classes=4):
        super().__init__()
        self.down = nn.ModuleList(double(i, o) for i, o in zip((1,) + widths[:-1], widths))
        self.up = nn.ModuleList(nn.ConvTranspose3d(i, o, 2, 2) for i, o in zip(widths[:0:-1], widths[-2::-1]))
        self.join = nn.ModuleList(double(2 * o, o) for o in widths[-2::-1])
        self.heads = nn.ModuleList(nn.Conv3d(o, classes, 1) for o in widths[-2::-1])

    def forward(self, x):
        kept, outs = [], []
        for n, block in enumerate(self.down):
            x = block(x if n == 0 else F.max_pool3d(x, 2))
            kept.append(x)
        kept.pop()
        for up, join, head in zip(self.up, self.join, self.heads):
            x = join(torch.cat([up(x), kept.pop()], 1))
            outs.append(head(x))
        return outs


model = UNet3d().cuda()
opt = torch.optim.SGD(model.parameters(), 1e-2, momentum=0.99, nesterov=True, weight_decay=3e-5)
scaler = torch.amp.GradScaler()
for _ in range(3):
    x, y = torch.randn(2, 1, 64, 64, 64, device="cuda"), torch.randint(0, 4, (2, 1, 64, 64, 64), device="cuda")
    opt.zero_grad()
    with torch.autocast("cuda", dtype=torch.float16):
        loss = 0
        for n, out in enumerate(reversed(model(x))):
            target = F.interpolate(y.float(), scale_factor=0.5 ** n).long() if n else y
            p = out.float().softmax(1)
            one = torch.zeros_like(p).scatter_(1, target, 1)
            dice = (2 * (p * one).sum((2, 3, 4)) + 1e-5) / (p.sum((2, 3, 4)) + one.sum((2, 3, 4)) + 1e-5)
            loss = loss + 0.5 ** n * (F.cross_entropy(out.float(), target[:, 0]) - dice[:, 1:].mean())
    scaler.scale(loss).backward()
    scaler.unscale_(opt)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 12)
    scaler.step(opt)
    scaler.update()
