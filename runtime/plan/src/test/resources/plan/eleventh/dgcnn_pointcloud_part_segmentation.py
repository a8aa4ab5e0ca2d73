"""DGCNN part segmentation: dynamic kNN graphs in feature space, edge convolutions, points from simple solids."""
import argparse
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

parser = argparse.ArgumentParser()
parser.add_argument("--points", type=int, default=1024)
parser.add_argument("--k", type=int, default=20)
parser.add_argument("--batch", type=int, default=12)
parser.add_argument("--steps", type=int, default=5)
parser.add_argument("--parts", type=int, default=6)
parser.add_argument("--emb", type=int, default=512)
ARGS = parser.parse_args()


def knn(x, k):
    """x: [B, C, N] -> indices [B, N, k]"""
    inner = -2 * x.transpose(2, 1) @ x
    sq = (x ** 2).sum(1, keepdim=True)
    return (-sq.transpose(2, 1) - inner - sq).topk(k, dim=-1).indices


def graph_feature(x, k):
    B, C, N = x.shape
    with torch.no_grad():
        idx = (knn(x, k) + torch.arange(B, device=x.device).view(-1, 1, 1) * N).view(-1)
    flat = x.transpose(2, 1).reshape(B * N, C)
    nb = flat[idx].view(B, N, k, C)
    centre = flat.view(B, N, 1, C).expand(-1, -1, k, -1)
    return torch.cat([nb - centre, centre], -1).permute(0, 3, 1, 2)


def edge_mlp(ci, *cs):
    layers = []
    for c in cs:
        layers += [nn.Conv2d(ci, c, 1, bias=False), nn.BatchNorm2d(c), nn.LeakyReLU(0.2)]
        ci = c
    return nn.Sequential(*layers)


class DGCNN(nn.Module):
    def __init__(self, k, parts, emb):
        super().__init__()
        self.k = k
        self.e1, self.e2, self.e3 = edge_mlp(6, 64, 64), edge_mlp(128, 64, 64), edge_mlp(128, 64)
        self.glob = nn.Sequential(nn.Conv1d(192, emb, 1, bias=False), nn.BatchNorm1d(emb), nn.LeakyReLU(0.2))
        self.head = nn.Sequential(nn.Conv1d(emb + 192, 256, 1, bias=False), nn.BatchNorm1d(256), nn.LeakyReLU(0.2), nn.Dropout(0.5),
                                  nn.Conv1d(256, 128, 1), nn.LeakyReLU(0.2), nn.Conv1d(128, parts, 1))

    def forward(self, x):
        x1 = self.e1(graph_feature(x, self.k)).amax(-1)
        x2 = self.e2(graph_feature(x1, self.k)).amax(-1)
        x3 = self.e3(graph_feature(x2, self.k)).amax(-1)
        local = torch.cat([x1, x2, x3], 1)
        g = self.glob(local).amax(-1, keepdim=True).expand(-1, -1, x.size(2))
        return self.head(torch.cat([g, local], 1))


def solids(b, n, parts, device):
    """each part is a sphere or a cylinder placed along a line; random rotation about z, jitter and scale"""
    part = torch.randint(0, parts, (b, n), device=device)
    v = F.normalize(torch.randn(b, n, 3, device=device), dim=-1) * 0.3
    cyl = part % 2 == 1
    flat = torch.cat([F.normalize(v[..., :2], dim=-1) * 0.2, torch.rand(b, n, 1, device=device) - 0.5], -1)
    pts = torch.where(cyl[..., None], flat, v)
    pts[..., 0] += part.float() * 0.5 - parts * 0.25
    th = torch.rand(b, device=device) * 2 * math.pi
    R = torch.zeros(b, 3, 3, device=device)
    R[:, 0, 0], R[:, 0, 1], R[:, 1, 0], R[:, 1, 1], R[:, 2, 2] = th.cos(), -th.sin(), th.sin(), th.cos(), 1.0
    pts = pts @ R * (0.8 + 0.4 * torch.rand(b, 1, 1, device=device)) + 0.01 * torch.randn(b, n, 3, device=device)
    return pts.transpose(1, 2).contiguous(), part


def iou(pred, gt, parts):
    vals = []
    for p in range(parts):
        a, b = pred == p, gt == p
        vals.append(((a & b).sum() / (a | b).sum().clamp(min=1)).item())
    return sum(vals) / parts


def main():
    torch.manual_seed(90)
    dev = torch.device("cuda")
    net = DGCNN(ARGS.k, ARGS.parts, ARGS.emb).to(dev)
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=2, gamma=0.5)
    for step in range(ARGS.steps):
        net.train()
        x, y = solids(ARGS.batch, ARGS.points, ARGS.parts, dev)
        loss = F.cross_entropy(net(x), y, label_smoothing=0.2)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        print(f"step {step} loss {loss.item():.4f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    net.eval()
    with torch.no_grad():
        x, y = solids(2 * ARGS.batch, ARGS.points, ARGS.parts, dev)
        print("mean part IoU", round(iou(net(x).argmax(1), y, ARGS.parts), 4))


if __name__ == "__main__":
    main()
