# limit: 1.4
"""Face identification head with a very large number of identities."""
import torch
import torch.nn as nn
import torchvision

torch.manual_seed(1)
dev = "cuda"


class FaceNet(nn.Module):
    def __init__(self, emb=256):
        super().__init__()
        self.body = torchvision.models.mobilenet_v3_small(weights=None).features
        self.emb = nn.Linear(576, emb)

    def forward(self, x):
        return self.emb(self.body(x).mean((2, 3)))


def crops(bs=16):
    return torch.randn(bs, 3, 112, 112, device=dev)


def pretrain(body, steps=25):
    """Rotation prediction to warm the body up."""
    head = nn.Linear(256, 4).to(dev)
    opt = torch.optim.Adam([*body.parameters(), *head.parameters()], lr=1e-3)
    for _ in range(steps):
        x = crops()
        k = torch.randint(0, 4, (1,)).item()
        x = torch.rot90(x, k, (2, 3))
        loss = nn.functional.cross_entropy(head(body(x)), torch.full((x.size(0),), k, device=dev))
        opt.zero_grad()
        loss.backward()
        opt.step()
    print("rotation loss", loss.item(), flush=True)


def train_identities(body, n_id=400_000, steps=40):
    clf = nn.Linear(256, n_id, bias=False).to(dev)
    opt = torch.optim.Adam([*body.parameters(), *clf.parameters()], lr=5e-4)
    for i in range(steps):
        y = torch.randint(0, n_id, (16,), device=dev)
        loss = nn.functional.cross_entropy(clf(body(crops())), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if i % 10 == 0:
            print(i, loss.item(), flush=True)


body = FaceNet().to(dev)
pretrain(body)
train_identities(body)
