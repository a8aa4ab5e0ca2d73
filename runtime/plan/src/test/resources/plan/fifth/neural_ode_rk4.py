import torch
import torch.nn as nn
torch.manual_seed(0)


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(65, 512), nn.Tanh(), nn.Linear(512, 512), nn.Softplus(), nn.Linear(512, 64))

    def forward(self, t, y):
        return self.net(torch.cat([y, t.expand(y.shape[0], 1)], 1))


def rk4(f, y, times):
    states = [y]
    for a, b in zip(times[:-1], times[1:]):
        h = b - a
        k1 = f(a, y)
        k2 = f(a + h / 2, y + h / 2 * k1)
        k3 = f(a + h / 2, y + h / 2 * k2)
        k4 = f(b, y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        states.append(y)
    return torch.stack(states)


field = Field().cuda()
read = nn.Linear(64, 8).cuda()
opt = torch.optim.Adamax([*field.parameters(), *read.parameters()], lr=1e-3)
times = torch.linspace(0, 1, 17, device="cuda")
for step in range(3):
    y0, target = torch.randn(2048, 64, device="cuda"), torch.randn(17, 2048, 8, device="cuda")
    loss = nn.functional.smooth_l1_loss(read(rk4(field, y0, times)), target)
    opt.zero_grad(set_to_none=False)
    loss.backward()
    nn.utils.clip_grad_value_(field.parameters(), 1.0)
    opt.step()
