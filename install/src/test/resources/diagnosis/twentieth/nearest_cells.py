# limit: 1.5
"""Match single-cell profiles of each patient to the reference atlas (k nearest, majority vote)."""
import torch

PATIENTS = {"A": 300, "B": 700, "C": 450, "D": 900, "E": 2600, "F": 500}
GENES, ATLAS = 48, 4000


class Atlas:
    def __init__(self, device):
        g = torch.Generator(device=device).manual_seed(100)
        self.profiles = torch.randn(ATLAS, GENES, device=device, generator=g)
        self.types = torch.randint(0, 14, (ATLAS,), device=device, generator=g)

    def distances(self, cells):
        return (cells[:, None, :] - self.profiles[None, :, :]).abs().sum(-1)

    def annotate(self, cells, k=15):
        d = self.distances(cells)
        idx = d.topk(k, largest=False).indices
        return self.types[idx].mode(1).values


def load_patient(name, n):
    g = torch.Generator().manual_seed(ord(name))
    raw = torch.rand(n, GENES, generator=g)
    return (raw - raw.mean(0)) / raw.std(0)


def composition(labels, n_types=14):
    return torch.bincount(labels, minlength=n_types).float() / len(labels)


def main():
    device = torch.device("cuda")
    atlas = Atlas(device)
    table = {}
    for name, n in PATIENTS.items():
        cells = load_patient(name, n).to(device)
        labels = atlas.annotate(cells)
        table[name] = composition(labels).cpu()
        print(f"patient {name}: {n} cells, commonest type {int(table[name].argmax())}")
    ref = composition(atlas.types).cpu()
    for name, c in table.items():
        print(name, f"distance to reference {(c - ref).abs().sum():.3f}")


if __name__ == "__main__":
    main()
