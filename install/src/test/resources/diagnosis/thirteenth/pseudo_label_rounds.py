# limit: 1.4
"""Semi-supervised segmentation: score the unlabelled pool, keep embeddings, train on the best."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(40)
dev = "cuda"


class Seg(nn.Module):
    def __init__(self, ch=32, classes=9):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, ch, 3, 2, 1), nn.ReLU(inplace=True))
        self.body = nn.Sequential(nn.Conv2d(ch, ch, 3, padding=1), nn.ReLU(inplace=True))
        self.head = nn.Conv2d(ch, classes, 1)

    def forward(self, x):
        f = self.body(self.stem(x))
        return f, self.head(f)


class PoolRound:
    def __init__(self, model, n_groups):
        self.model, self.n = model, n_groups
        self.embeddings = []

    @torch.no_grad()
    def score(self):
        maps = []
        for k in range(self.n):
            x = torch.rand(4, 3, 512, 512, device=dev, generator=torch.Generator(dev).manual_seed(k))
            f, logit = self.model(x)
            maps.append(logit.softmax(1))
            self.embeddings.append(F.adaptive_avg_pool2d(f, 51).flatten(1))
        conf = torch.stack([m.amax(1).mean() for m in maps])
        return conf.cpu()


def train_round(model, picked, steps, bs):
    opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    for i in range(steps):
        x = torch.rand(bs, 3, 512, 512, device=dev)
        y = torch.randint(0, 9, (bs, 256, 256), device=dev)
        loss = F.cross_entropy(model(x)[1], y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print("trained on", len(picked), "groups, loss", loss.item(), flush=True)


model = Seg().to(dev)
train_round(model, [], 10, 16)
rounds = PoolRound(model, 90)
conf = rounds.score()
print("scored, mean confidence", conf.mean().item(), flush=True)
train_round(model, conf.topk(20).indices.tolist(), 10, 16)
emb = torch.cat(rounds.embeddings)
print("diversity", (emb - emb.mean(0)).norm(dim=1).mean().item())
