# limit: 1.5
# near-duplicate detection in shards of titles
import torch


def embed(titles, table):
    """bag of hashed words"""
    idx = torch.randint(0, table.shape[0], (titles, 12), device="cuda")
    return table[idx].mean(1)


def distances(e):
    return (e[:, None, :] - e[None, :, :]).abs().sum(-1)


def duplicates(e, eps):
    d = distances(e)
    d.fill_diagonal_(float("inf"))
    return int((d.min(1).values < eps).sum())


class Report:
    def __init__(self):
        self.rows = []

    def add(self, shard, n, dup):
        self.rows.append((shard, n, dup))
        print(f"shard {shard:12s} {n:6d} titles {dup:5d} duplicates")

    def total(self):
        return sum(r[2] for r in self.rows)


SHARDS = {"maps": 500, "letters": 800, "science": 1200, "music": 1000, "theology": 1500, "fiction": 5200}


@torch.no_grad()
def main():
    torch.manual_seed(77)
    table = torch.randn(50_000, 64, device="cuda")
    report = Report()
    for repeat in range(3):
        for shard, n in SHARDS.items():
            report.add(shard, n, duplicates(embed(n, table), eps=10.0))
    print("total", report.total())


if __name__ == "__main__":
    main()
