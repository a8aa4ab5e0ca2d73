# limit: 1.0
# Implicit-feedback ALS, all on the card: play counts, both factor tables, confidence sums.
import torch

torch.manual_seed(55)
DEV = "cuda"
USERS, ITEMS, RANK = 700_000, 350_000, 256
NNZ = 20_000_000


def plays():
    u = torch.randint(0, USERS, (NNZ,), device=DEV, dtype=torch.int32)
    i = torch.randint(0, ITEMS, (NNZ,), device=DEV, dtype=torch.int32)
    c = torch.rand(NNZ, device=DEV, dtype=torch.float32)
    return u, i, c


class Factors:
    """one table, filled in place"""

    def __init__(self, rows, rank):
        self.w = torch.empty(rows, rank, device=DEV).normal_(std=0.01)

    def gram(self):
        return self.w.T @ self.w


def half_sweep(target, source, rows, cols, conf, chunk=1_000_000, lam=0.1):
    inv = torch.linalg.inv(source.gram() + lam * torch.eye(RANK, device=DEV))
    for s in range(0, NNZ, chunk * 5):
        r, c, w = rows[s:s + 50_000].long(), cols[s:s + 50_000].long(), conf[s:s + 50_000]
        upd = (w[:, None] * source.w.index_select(0, c)) @ inv
        target.w.index_add_(0, r, upd, alpha=0.1)


def main():
    u, i, c = plays()
    print(f"{NNZ / 1e6:.0f} M plays, {torch.cuda.memory_allocated() >> 20} MiB")
    items = Factors(ITEMS, RANK)
    print(f"item factors, {torch.cuda.memory_allocated() >> 20} MiB")
    users = Factors(USERS, RANK)
    print(f"user factors, {torch.cuda.memory_allocated() >> 20} MiB")
    for sweep in range(3):
        half_sweep(users, items, u, i, c)
        half_sweep(items, users, i, u, c)
        print("sweep", sweep, users.w.norm().item(), items.w.norm().item())


main()
