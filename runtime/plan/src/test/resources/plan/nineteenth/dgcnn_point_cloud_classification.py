import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F

parser = argparse.ArgumentParser()
parser.add_argument("--points", type=int, default=768)
parser.add_argument("--batch", type=int, default=12)
parser.add_argument("--k", type=int, default=20)
parser.add_argument("--steps", type=int, default=5)
parser.add_argument("--emb", type=int, default=768)
parser.add_argument("--classes", type=int, default=40)
opt_ = parser.parse_args()
device = torch.device("cuda")


def knn(x, k):
    # x: B,C,N
    inner = -2 * torch.matmul(x.transpose(2, 1), x)
    xx = torch.sum(x**2, dim=1, keepdim=True)
    return (-xx - inner - xx.transpose(2, 1)).topk(k=k, dim=-1)[1]


def graph_feature(x, k):
    b, c, n = x.shape
    with torch.no_grad():
        idx = knn(x, k) + torch.arange(b, device=x.device).view(-1, 1, 1) * n
    xt = x.transpose(2, 1).contiguous()
    feat = xt.view(b * n, c)[idx.view(-1)].view(b, n, k, c)
    xt = xt.view(b, n, 1, c).expand(-1, -1, k, -1)
    return torch.cat((feat - xt, xt), dim=3).permute(0, 3, 1, 2).contiguous()


def edge_block(cin, cout):
    return nn.Sequential(nn.Conv2d(cin * 2, cout, 1, bias=False), nn.BatchNorm2d(cout), nn.LeakyReLU(0.2))


class DGCNN(nn.Module):
    def __init__(self, k, emb, classes):
        super().__init__()
        self.k = k
        self.blocks = nn.ModuleList([edge_block(3, 64), edge_block(64, 64), edge_block(64, 128), edge_block(128, 256)])
        self.conv5 = nn.Sequential(nn.Conv1d(512, emb, 1, bias=False), nn.BatchNorm1d(emb), nn.LeakyReLU(0.2))
        self.head = nn.Sequential(
            nn.Linear(emb * 2, 512, bias=False), nn.BatchNorm1d(512), nn.LeakyReLU(0.2), nn.Dropout(0.5),
            nn.Linear(512, 256), nn.BatchNorm1d(256), nn.LeakyReLU(0.2), nn.Dropout(0.5),
            nn.Linear(256, classes),
        )

    def forward(self, x):
        outs = []
        for blk in self.blocks:
            x = blk(graph_feature(x, self.k)).max(dim=-1)[0]
            outs.append(x)
        x = self.conv5(torch.cat(outs, 1))
        x = torch.cat((F.adaptive_max_pool1d(x, 1).flatten(1), F.adaptive_avg_pool1d(x, 1).flatten(1)), 1)
        return self.head(x)


def smooth_ce(pred, gold, eps=0.2):
    n = pred.size(1)
    onehot = torch.zeros_like(pred).scatter(1, gold.view(-1, 1), 1)
    onehot = onehot * (1 - eps) + (1 - onehot) * eps / (n - 1)
    return -(onehot * F.log_softmax(pred, dim=1)).sum(1).mean()


def sample_shapes(n, points, gen):
    """ellipsoids and boxes; the class decides the axes"""
    y = torch.randint(0, opt_.classes, (n,), generator=gen)
    p = torch.randn(n, points, 3, generator=gen)
    sphere = p / p.norm(dim=-1, keepdim=True)
    box = p / p.abs().amax(-1, keepdim=True)
    shape = torch.where((y % 2 == 0)[:, None, None], sphere, box)
    axes = torch.stack([1 + y % 5, 1 + y % 7, 1 + y % 3], 1).float() / 5
    return shape * axes[:, None], y


def augment(pts):
    scale = torch.empty(pts.size(0), 1, 3, device=pts.device).uniform_(2 / 3, 3 / 2)
    shift = torch.empty(pts.size(0), 1, 3, device=pts.device).uniform_(-0.2, 0.2)
    return pts * scale + shift + (0.01 * torch.randn_like(pts)).clamp(-0.05, 0.05)


torch.manual_seed(1)
gen = torch.Generator().manual_seed(1)
model = DGCNN(opt_.k, opt_.emb, opt_.classes).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
sch = torch.optim.lr_scheduler.CosineAnnealingLR(opt, opt_.steps, eta_min=1e-3)
print("parameters", sum(p.numel() for p in model.parameters()))

model.train()
for step in range(opt_.steps):
    pts, lab = sample_shapes(opt_.batch, opt_.points, gen)
    pts, lab = augment(pts.to(device)).transpose(2, 1), lab.to(device)
    opt.zero_grad()
    logits = model(pts)
    loss = smooth_ce(logits, lab)
    loss.backward()
    opt.step()
    sch.step()
    print(f"[{step}] loss {loss.item():.4f} acc {(logits.argmax(1) == lab).float().mean().item():.3f}")

model.eval()
votes = 3
with torch.no_grad():
    pts, lab = sample_shapes(opt_.batch * 2, opt_.points, gen)
    pts, lab = pts.to(device), lab.to(device)
    probs = sum(model(augment(pts).transpose(2, 1)).softmax(-1) for _ in range(votes)) / votes
print("test acc", (probs.argmax(1) == lab).float().mean().item())
print("peak MB", torch.cuda.max_memory_allocated() // 2**20)
