# limit: 1.6
# CTR model with one embedding table per column
import torch
import torch.nn as nn

torch.manual_seed(1)
CARDINALITY = [100 * (k + 1) for k in range(30)] + [900_000 // (1 + k % 3) for k in range(30)]
DIM = 32


class Column(nn.Module):
    def __init__(self, name, n):
        super().__init__()
        self.name, self.n = name, n
        self.table = nn.Embedding(n, DIM, sparse=True, device="cuda")

    def forward(self, idx):
        return self.table(idx % self.n)


class CtrModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.columns = nn.ModuleList()
        self.top = nn.Sequential(nn.Linear(DIM * 60, 256), nn.ReLU(), nn.Linear(256, 1)).cuda()

    def add(self, name, n):
        self.columns.append(Column(name, n))

    def forward(self, rows):
        parts = [c(rows[:, k]) for k, c in enumerate(self.columns)]
        return self.top(torch.cat(parts, 1)).squeeze(1)


def describe(model):
    n = sum(p.numel() for p in model.parameters())
    print(f"{len(model.columns)} columns, {n / 1e6:.1f} M parameters")


def main():
    model = CtrModel()
    for k, n in enumerate(CARDINALITY):
        model.add(f"c{k}", n)
        if k % 10 == 9:
            describe(model)
    opt = torch.optim.SparseAdam([c.table.weight for c in model.columns], lr=1e-3)
    dense = torch.optim.Adam(model.top.parameters(), lr=1e-3)
    for step in range(100):
        rows = torch.randint(0, 10**6, (1024, 60), device="cuda")
        y = (rows[:, 0] % 7 == 0).float()
        loss = nn.functional.binary_cross_entropy_with_logits(model(rows), y)
        opt.zero_grad()
        dense.zero_grad()
        loss.backward()
        opt.step()
        dense.step()
        if step % 20 == 0:
            print(step, loss.item())


if __name__ == "__main__":
    main()
