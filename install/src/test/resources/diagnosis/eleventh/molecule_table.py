# limit: 2.0
"""Streaming k-means over a fingerprint table that nearly fills the card."""
import torch

ROWS, BITS, K = 1_600_000, 256, 64


def fingerprints():
    table = torch.empty(ROWS, BITS, device="cuda")
    table.uniform_(0, 1)
    for i in range(0, ROWS, 200_000):
        table[i:i + 200_000].round_()
    return table


def assign(table, centres, bs=20_000):
    sums = torch.zeros_like(centres)
    counts = torch.zeros(K, device="cuda")
    inertia = 0.0
    for i in range(0, ROWS, bs):
        part = table[i:i + bs]
        d = torch.cdist(part, centres)
        best, label = d.min(1)
        inertia += best.sum().item()
        sums.index_add_(0, label, part)
        counts += torch.bincount(label, minlength=K).float()
    return sums, counts, inertia / ROWS


def main():
    torch.manual_seed(12)
    table = fingerprints()
    print("table GiB", round(table.numel() * 4 / 2 ** 30, 2))
    centres = table[torch.randperm(ROWS)[:K].cuda()].clone()
    for it in range(8):
        sums, counts, inertia = assign(table, centres)
        centres = sums / counts.clamp(min=1).unsqueeze(1)
        print(f"iteration {it}: mean distance {inertia:.4f}, empty {(counts == 0).sum().item()}")


main()
