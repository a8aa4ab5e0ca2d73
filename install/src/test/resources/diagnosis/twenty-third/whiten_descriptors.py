# limit: 1.5
"""PCA whitening of 76 800 image descriptors on the GPU, the arrays need most of the card but nothing more."""
import time

import torch

N, D = 76_800, 2048                  # 600 MiB in float32


def load_descriptors():
    x = torch.empty(N, D, device="cuda")
    g = torch.Generator(device="cuda").manual_seed(0)
    for part in x.split(9600):
        part.normal_(generator=g)
        part[:, 1:].add_(part[:, :-1].clone(), alpha=0.3)
        part.add_(2.0)
    return x


class Whitening:
    def __init__(self, eps=1e-5, chunk=4800):
        self.eps, self.chunk = eps, chunk

    def fit_(self, x):
        """Centres x in place."""
        self.mean = torch.zeros(x.shape[1], device=x.device)
        for part in x.split(self.chunk):
            self.mean += part.sum(0)
        self.mean /= len(x)
        cov = torch.zeros(x.shape[1], x.shape[1], device=x.device)
        for part in x.split(self.chunk):
            part.sub_(self.mean)
            cov.addmm_(part.t(), part)
        cov /= len(x) - 1
        val, vec = torch.linalg.eigh(cov.cpu())
        self.proj = (vec * (val + self.eps).rsqrt()).to(x.device)
        return self

    def transform(self, x):
        out = torch.empty_like(x)
        for src, dst in zip(x.split(self.chunk), out.split(self.chunk)):
            torch.mm(src, self.proj, out=dst)
        return out


def check(z, rows=20_000):
    sub = z[:rows]
    cov = sub.t() @ sub / (rows - 1)
    return (cov - torch.eye(D, device=z.device)).abs().mean().item()


def neighbours(z, queries=256, k=5):
    best = []
    for part in z[:queries].split(64):
        best.append((part @ z.t()).topk(k + 1, dim=1).indices[:, 1:].cpu())
    return torch.cat(best)


def main():
    start = time.perf_counter()
    x = load_descriptors()
    w = Whitening().fit_(x)
    for repeat in range(3):
        z = None
        z = w.transform(x)
        print(f"pass {repeat}: deviation {check(z):.4f}, neighbours {tuple(neighbours(z).shape)}, "
              f"peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")
    print(f"{time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()
