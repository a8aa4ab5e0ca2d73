import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class Modulated(nn.Module):
    def __init__(self, i, o, style):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(o, i, 3, 3))
        self.style = nn.Linear(style, i)
        self.noise = nn.Parameter(torch.zeros(1))

    def forward(self, x, w):
        b, i, h, v = x.shape
        k = self.weight[None] * self.style(w)[:, None, :, None, None]
        k = k * torch.rsqrt(k.square().sum((2, 3, 4), keepdim=True) + 1e-8)
        x = F.conv2d(x.reshape(1, b * i, h, v), k.view(-1, i, 3, 3), padding=1, groups=b).view(b, -1, h, v)
        return F.leaky_relu(x + self.noise * torch.randn(b, 1, h, v, device=x.device), 0.2) * 2 ** 0.5


class Generator(nn.Module):
    def __init__(self, z=128, widths=(128, 128, 64, 32)):
        super().__init__()
        self.map = nn.Sequential(*[m for _ in range(4) for m in (nn.Linear(z, z), nn.LeakyReLU(0.2))])
        self.const = nn.Parameter(torch.randn(1, widths[0], 8, 8))
        self.layers = nn.ModuleList(Modulated(i, o, z) for i, o in zip((widths[0],) + widths[:-1], widths))
        self.rgb = nn.Conv2d(widths[-1], 3, 1)

    def forward(self, z):
        w = self.map(F.normalize(z, dim=1))
        x = self.const.expand(len(z), -1, -1, -1)
        for n, layer in enumerate(self.layers):
            if n:
                x = F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False)
            x = layer(x, w)
        return self.rgb(x)


class Discriminator(nn.Module):
    def __init__(self, widths=(32, 64, 128, 128)):
        super().__init__()
        self.first = nn.Conv2d(3, widths[0], 1)
        self.blocks = nn.ModuleList(nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.LeakyReLU(0.2), nn.AvgPool2d(2)) for i, o in zip(widths, widths[1:] + widths[-1:]))
        self.out = nn.Linear(widths[-1] * 16, 1)

    def forward(self, x):
        x = self.first(x)
        for b in self.blocks:
            x = b(x)
        x = torch.cat([x[:, :-1], x[:, -1:] + x.std(0, keepdim=True).mean()], 1)
        return self.out(x.flatten(1))


g, d = Generator().cuda(), Discriminator().cuda()
og, od = torch.optim.Adam(g.parameters(), 2e-3, (0.0, 0.99)), torch.optim.Adam(d.parameters(), 2e-3, (0.0, 0.99))
average = torch.optim.swa_utils.AveragedModel(g, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.999))
for step in range(4):
    real = torch.randn(16, 3, 64, 64, device="cuda", requires_grad=step % 2 == 0)
    fake = g(torch.randn(16, 128, device="cuda")).detach()
    out = d(real)
    loss = F.softplus(d(fake)).mean() + F.softplus(-out).mean()
    if step % 2 == 0:
        (grad,) = torch.autograd.grad(out.sum(), real, create_graph=True)
        loss = loss + 5 * grad.square().sum((1, 2, 3)).mean()
    od.zero_grad()
    loss.backward()
    od.step()
    og.zero_grad()
    F.softplus(-d(g(torch.randn(16, 128, device="cuda")))).mean().backward()
    og.step()
    average.update_parameters(g)
