# limit: 1.6
"""Build an exact-search index: embed passages in half precision, then centre and query in fp32."""
import argparse

import torch
import torch.nn as nn


class PassageEncoder(nn.Module):
    def __init__(self, vocab=30000, dim=512):
        super().__init__()
        self.emb = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.proj = nn.Sequential(nn.Linear(dim, dim), nn.GELU(), nn.Linear(dim, dim))

    def forward(self, ids):
        return self.proj(self.emb(ids))


@torch.no_grad()
def fill_table(encoder, n_passages, chunk, device):
    table = torch.empty(n_passages, 512, dtype=torch.bfloat16, device=device)
    for start in range(0, n_passages, chunk):
        stop = min(start + chunk, n_passages)
        ids = torch.randint(0, 30000, (stop - start, 32), device=device)
        table[start:stop] = encoder(ids)
    return table


@torch.no_grad()
def finalize(table):
    table = table.float()
    table -= table.mean(dim=0)
    table /= table.norm(dim=1, keepdim=True).clamp_min(1e-6)
    return table


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--passages", type=int, default=640_000)
    ap.add_argument("--chunk", type=int, default=8192)
    args = ap.parse_args()

    torch.manual_seed(5)
    device = torch.device("cuda")
    encoder = PassageEncoder().to(device)
    table = fill_table(encoder, args.passages, args.chunk, device)
    print("table", tuple(table.shape), table.dtype, f"{table.numel() * 2 / 2**20:.0f} MiB")
    table = finalize(table)
    q = torch.randn(16, 512, device=device)
    print((q @ table.T).topk(5).values[0].tolist())


if __name__ == "__main__":
    main()
