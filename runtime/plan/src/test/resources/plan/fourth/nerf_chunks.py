import torch
import torch.nn as nn


class Field(nn.Module):
    def __init__(self, bands=10, width=256):
        super().__init__()
        self.bands = bands
        self.a = nn.Sequential(nn.Linear(3 + 6 * bands, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.b, self.density = nn.Sequential(nn.Linear(width + 3, 128), nn.ReLU(), nn.Linear(128, 3), nn.Sigmoid()), nn.Linear(width, 1)

    def forward(self, p, d):
        angles = p[..., None] * 2.0 ** torch.arange(self.bands, device=p.device)
        h = self.a(torch.cat([p, angles.sin().flatten(-2), angles.cos().flatten(-2)], -1))
        return self.b(torch.cat([h, d], -1)), torch.relu(self.density(h))[..., 0]


def render(field, origin, direction, samples=48):
    t = torch.linspace(2, 6, samples, device=origin.device) + torch.rand(origin.shape[0], samples, device=origin.device) * 4 / samples
    p = origin[:, None] + direction[:, None] * t[..., None]
    colour, density = field(p, direction[:, None].expand_as(p))
    gap = torch.cat([t[:, 1:] - t[:, :-1], torch.full_like(t[:, :1], 1e10)], 1)
    alpha = 1 - torch.exp(-density * gap)
    light = torch.cumprod(torch.cat([torch.ones_like(alpha[:, :1]), 1 - alpha + 1e-10], 1), 1)[:, :-1]
    return ((alpha * light)[..., None] * colour).sum(1)


torch.manual_seed(0)
field = Field().cuda()
opt = torch.optim.Adam(field.parameters(), lr=5e-4)
for step in range(3):
    o, d, target = torch.randn(700, 3, device="cuda"), nn.functional.normalize(torch.randn(700, 3, device="cuda"), dim=-1), torch.rand(700, 3, device="cuda")
    loss = ((render(field, o, d) - target) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
with torch.no_grad():
    o, d = torch.randn(4000, 3, device="cuda"), nn.functional.normalize(torch.randn(4000, 3, device="cuda"), dim=-1)
    image = torch.cat([render(field, a, b) for a, b in zip(o.split(1000), d.split(1000))]).cpu()
