# limit: 8
# "OOM with little memory in use on a huge, completely empty GPU"
import torch
import torch.nn as nn

torch.manual_seed(28)


class Settings:
    device = 0
    share = 0.008  # three of us use this card
    width = 4096
    depth = 12
    batch = 1024


def be_nice(settings):
    """Do not take the whole card."""
    torch.cuda.set_per_process_memory_fraction(settings.share, settings.device)


def build(settings):
    layers = []
    for _ in range(settings.depth):
        layers += [nn.Linear(settings.width, settings.width), nn.SiLU()]
    return nn.Sequential(*layers).to("cuda")


class Session:
    def __init__(self, settings):
        be_nice(settings)
        self.settings = settings
        self.model = build(settings)
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=1e-4)

    def step(self):
        x = torch.randn(self.settings.batch, self.settings.width, device="cuda")
        loss = nn.functional.mse_loss(self.model(x), x)
        loss.backward()
        self.opt.step()
        self.opt.zero_grad()
        return loss.item()


if __name__ == "__main__":
    session = Session(Settings())
    for i in range(20):
        loss = session.step()
        if i % 5 == 0:
            print(i, loss, torch.cuda.memory_reserved() >> 20, "MiB reserved")
