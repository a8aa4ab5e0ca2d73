# limit: 2.9
"""Score baskets with last quarter's embedding tables (stored in bfloat16)."""
import torch
import torch.nn as nn

device = "cuda"
FIELDS, ROWS, DIM = 24, 400_000, 64


def load_tables():
    tables = {}
    for field in range(FIELDS):
        name = f"field_{field:02d}"
        tables[name] = torch.randn(ROWS, DIM, device=device, dtype=torch.bfloat16)
    return tables


def to_full_precision(tables):
    return {name: table.float() for name, table in tables.items()}


class Ranker(nn.Module):
    def __init__(self):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(FIELDS * DIM, 512), nn.ReLU(), nn.Linear(512, 1))

    def forward(self, vectors):
        return self.mlp(vectors.flatten(1)).squeeze(-1)


def lookup(tables, ids):
    columns = [table[ids[:, i]] for i, table in enumerate(tables.values())]
    return torch.stack(columns, dim=1)


@torch.no_grad()
def score(tables, ranker, batches=50, size=4096):
    best = []
    for _ in range(batches):
        ids = torch.randint(0, ROWS, (size, FIELDS), device=device)
        best.append(ranker(lookup(tables, ids)).max().item())
    return sum(best) / len(best)


tables = load_tables()
print("tables", len(tables), "rows", ROWS)
tables = to_full_precision(tables)
ranker = Ranker().to(device)
print("mean best score", score(tables, ranker))
