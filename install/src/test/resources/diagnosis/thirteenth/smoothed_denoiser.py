# limit: 0.92
# toy diffusion on latent vectors with an exponential moving average
import torch
from torch import nn


class Denoiser(nn.Module):
    def __init__(self, d=1024, depth=5):
        super().__init__()
        self.t = nn.Embedding(100, d)
        self.mid = nn.ModuleList(nn.Sequential(nn.Linear(d, 4 * d), nn.SiLU(), nn.Linear(4 * d, d)) for _ in range(depth))

    def forward(self, x, t):
        h = x + self.t(t)
        for m in self.mid:
            h = h + m(h)
        return h


class Ema:
    def __init__(self, model, decay=0.995):
        self.decay = decay
        self.shadow = {k: v.detach().clone() for k, v in model.state_dict().items()}
        self.backup = None

    @torch.no_grad()
    def update(self, model):
        for k, v in model.state_dict().items():
            self.shadow[k].mul_(self.decay).add_(v, alpha=1 - self.decay)

    def apply(self, model):
        self.backup = {k: v.detach().clone() for k, v in model.state_dict().items()}
        model.load_state_dict(self.shadow)

    def restore(self, model):
        model.load_state_dict(self.backup)
        self.backup = None


def loss_fn(model, n=128):
    x = torch.randn(n, 1024, device="cuda")
    t = torch.randint(0, 100, (n,), device="cuda")
    a = (1 - t / 100.0)[:, None]
    noise = torch.randn_like(x)
    return (model(a * x + (1 - a) * noise, t) - noise).square().mean()


def main():
    torch.manual_seed(5)
    model = Denoiser().to("cuda")
    ema = Ema(model)
    opt = torch.optim.Adam(model.parameters(), lr=2e-4, foreach=False)
    acc = 0
    for step in range(1, 61):
        loss = loss_fn(model) / 2
        loss.backward()
        acc += 1
        if acc == 2:
            opt.step()
            opt.zero_grad(set_to_none=False)
            ema.update(model)
            acc = 0
        if step % 10 == 0:
            print(f"step {step}: {2 * loss.item():.4f}")
        if step % 30 == 0:
            ema.apply(model)
            with torch.no_grad():
                print("ema loss", sum(loss_fn(model, 64).item() for _ in range(4)) / 4)
            ema.restore(model)


if __name__ == "__main__":
    main()
