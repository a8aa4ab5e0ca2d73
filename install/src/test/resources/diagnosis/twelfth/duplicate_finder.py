# limit: 0.9
"""Near-duplicate listing detection, category by category."""
import torch
import torch.nn.functional as F

PER_CATEGORY = 13_000
DIM = 128
CATEGORIES = ["bikes", "sofas", "phones", "books", "lamps", "prams", "tents", "skis"]


def embeddings(category, dev):
    g = torch.Generator(device=dev).manual_seed(len(category) * 31 + ord(category[0]))
    x = torch.randn(PER_CATEGORY, DIM, generator=g, device=dev)
    # some sellers post the same thing twice
    x[100:150] = x[:50] + 0.05 * torch.randn(50, DIM, generator=g, device=dev)
    return F.normalize(x, dim=1)


@torch.no_grad()
def duplicates(x, threshold=0.9):
    sim = x @ x.T
    sim.fill_diagonal_(-1)
    value, index = sim.max(dim=1)
    hit = (value > threshold).nonzero().squeeze(1)
    return [(int(i), int(index[i])) for i in hit]


def main():
    torch.manual_seed(0)
    dev = torch.device("cuda")
    report = {}
    for category in CATEGORIES:
        x = embeddings(category, dev)
        pairs = duplicates(x)
        report[category] = pairs
        print(f"{category:8s} {len(pairs):4d} duplicates, reserved "
              f"{torch.cuda.memory_reserved() / 2**20:.0f} MiB")
    total = sum(len(p) for p in report.values()) // 2
    print("pairs in all", total)


if __name__ == "__main__":
    main()
