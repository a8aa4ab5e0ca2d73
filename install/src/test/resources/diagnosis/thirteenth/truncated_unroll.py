# limit: 2.0
# learned optimiser / simulator coupling: unroll 16 steps, backward, cut, go on
import torch
import torch.nn as nn

torch.manual_seed(50)
dev = "cuda"
UNROLL = 16


class Corrector(nn.Module):
    """small conv net that corrects a coarse solver step"""

    def __init__(self, c=12):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(2, c, 3, padding=1, padding_mode="circular"), nn.Tanh(),
            nn.Conv2d(c, c, 3, padding=1, padding_mode="circular"), nn.Tanh(),
            nn.Conv2d(c, 2, 3, padding=1, padding_mode="circular"))

    def forward(self, u):
        return 0.01 * self.net(u)


def coarse(u, dt=0.1):
    lap = sum(torch.roll(u, s, d) for s, d in ((1, 2), (-1, 2), (1, 3), (-1, 3))) - 4 * u
    a, b = u[:, :1], u[:, 1:]
    react = torch.cat([a - a ** 3 - b, 0.5 * (a - b)], 1)
    return u + dt * (0.2 * lap + 0.05 * react)


def reference(u):
    for _ in range(2):
        u = coarse(u, 0.05)
    return u


def run(episodes=3, segments=8):
    model = Corrector().to(dev)
    opt = torch.optim.Adam(model.parameters(), 1e-3)
    log = []
    for ep in range(episodes):
        u = torch.randn(8, 2, 192, 192, device=dev) * 0.5
        ref = u.clone()
        for seg in range(segments):
            losses = []
            for _ in range(UNROLL):
                u = coarse(u)
                u = u + model(u)
                with torch.no_grad():
                    ref = reference(ref)
                losses.append((u - ref).pow(2).mean())
            loss = torch.stack(losses).mean()
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            u = u.detach()
            log.append(loss.item())
        print(f"episode {ep}: first {log[-segments]:.5f} last {log[-1]:.5f}, "
              f"peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")
    return log


run()
