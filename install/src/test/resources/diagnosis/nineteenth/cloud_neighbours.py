# limit: 2.5
"""Local curvature of scanned meshes from k nearest neighbours, at several point densities."""
import torch

torch.manual_seed(14)
device = "cuda"


def torus(n, R=1.0, r=0.35, noise=0.005):
    a, b = 2 * torch.pi * torch.rand(2, n)
    xyz = torch.stack([(R + r * b.cos()) * a.cos(), (R + r * b.cos()) * a.sin(), r * b.sin()], -1)
    return (xyz + noise * torch.randn(n, 3)).to(device)


def knn(points, k):
    dist2 = ((points[:, None, :] - points[None, :, :]) ** 2).sum(-1)
    return dist2.topk(k + 1, largest=False).indices[:, 1:]


def normals_and_curvature(points, k=24):
    idx = knn(points, k)
    nb = points[idx]
    nb = nb - nb.mean(1, keepdim=True)
    cov = nb.transpose(1, 2) @ nb / k
    vals, vecs = torch.linalg.eigh(cov.cpu())
    return vecs[..., 0], vals[:, 0] / vals.sum(-1)


class DensityStudy:
    def __init__(self, densities, repeats=3):
        self.densities, self.repeats = densities, repeats
        self.table = {}

    def run(self):
        for n in self.densities:
            means = []
            for _ in range(self.repeats):
                pts = torus(n)
                _, curv = normals_and_curvature(pts)
                means.append(curv.mean().item())
            self.table[n] = sum(means) / len(means)
            print(f"{n:6d} points: mean surface variation {self.table[n]:.5f}")
        return self.table


if __name__ == "__main__":
    study = DensityStudy([1024, 2048, 4096, 8192, 16384])
    table = study.run()
    fine, coarse = max(table), min(table)
    print("ratio fine/coarse", table[fine] / table[coarse])
