# limit: 1.5
import torch
import torch.nn.functional as F
from torch import nn


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(256, 512), nn.ReLU(), nn.Linear(512, 512))

    def forward(self, x):
        return F.normalize(self.net(x), dim=1)


def info_nce(z, pos, bank, t=0.1):
    keys = bank[torch.randint(0, bank.shape[0], (2048,), device=bank.device)]
    logits = torch.cat([(z * pos).sum(1, keepdim=True), z @ keys.t()], 1) / t
    return F.cross_entropy(logits, torch.zeros(len(z), dtype=torch.long, device=z.device))


def main():
    torch.manual_seed(5)
    dev = "cuda"
    head = Head().to(dev)
    opt = torch.optim.SGD(head.parameters(), lr=0.03, momentum=0.9)
    bank = F.normalize(torch.randn(8192, 512, device=dev), dim=1)
    ema_loss = None
    for it in range(120):
        x = torch.randn(8192, 256, device=dev)
        z = head(x + 0.1 * torch.randn_like(x))
        with torch.no_grad():
            pos = head(x + 0.1 * torch.randn_like(x))
        loss = info_nce(z, pos, bank)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        bank = torch.cat([bank, pos], dim=0)
        value = loss.item()
        ema_loss = value if ema_loss is None else 0.9 * ema_loss + 0.1 * value
        if it % 10 == 0:
            print(f"it {it:4d} loss {ema_loss:.3f}")


if __name__ == "__main__":
    main()
