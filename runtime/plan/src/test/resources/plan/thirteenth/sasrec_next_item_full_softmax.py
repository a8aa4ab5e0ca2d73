"""Sequential recommendation (SASRec) with a full softmax over the catalogue; the loss is computed in chunks with checkpointing.
Evaluation: NDCG@10 / HR@10 against all items."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

ITEMS = 30_000
MAXLEN = 100
DIM = 192
HEADS = 4
BLOCKS = 3
BATCH = 96
STEPS = 5
CHUNK = 2048


class SASRec(nn.Module):
    def __init__(self):
        super().__init__()
        self.item = nn.Embedding(ITEMS + 1, DIM, padding_idx=0)
        self.pos = nn.Embedding(MAXLEN, DIM)
        nn.init.normal_(self.item.weight, std=0.02)
        layer = nn.TransformerEncoderLayer(DIM, HEADS, DIM * 4, dropout=0.2, activation="gelu", batch_first=True, norm_first=True)
        self.enc = nn.TransformerEncoder(layer, BLOCKS, norm=nn.LayerNorm(DIM), enable_nested_tensor=False)
        self.drop = nn.Dropout(0.2)
        self.register_buffer("causal", torch.triu(torch.ones(MAXLEN, MAXLEN, dtype=torch.bool), 1), persistent=False)

    def forward(self, seq):
        n = seq.size(1)
        x = self.item(seq) * math.sqrt(DIM) + self.pos.weight[:n]
        x = self.enc(self.drop(x), mask=self.causal[:n, :n], is_causal=True)
        return x.masked_fill((seq == 0).unsqueeze(-1), 0.0)


def histories(n, gen):
    """right-padded histories; consecutive items come from a walk in id space"""
    seq = torch.zeros(n, MAXLEN + 1, dtype=torch.long)
    lens = torch.randint(20, MAXLEN + 2, (n,), generator=gen)
    for i, l in enumerate(lens.tolist()):
        start = int(torch.randint(1, ITEMS, (1,), generator=gen))
        step = torch.randint(-30, 31, (l,), generator=gen).cumsum(0)
        seq[i, :l] = (start + step) % ITEMS + 1
    return seq


def chunk_loss(h, weight, target):
    return F.cross_entropy(h @ weight.T, target - 1, reduction="sum")


def full_softmax_loss(model, seq):
    inp, tgt = seq[:, :-1], seq[:, 1:]
    h = model(inp)
    keep = tgt != 0
    h, tgt = h[keep], tgt[keep]
    w = model.item.weight[1:]
    total = h.new_zeros(())
    for hc, tc in zip(h.split(CHUNK), tgt.split(CHUNK)):
        total = total + checkpoint(chunk_loss, hc, w, tc, use_reentrant=False)
    return total / len(tgt)


@torch.no_grad()
def rank_metrics(model, seq, k=10):
    lens = (seq != 0).sum(1)
    rows = torch.arange(len(seq), device=seq.device)
    target = seq[rows, lens - 1]
    hist = seq.clone()
    hist[rows, lens - 1] = 0
    h = model(hist[:, :MAXLEN])[rows, lens - 2]
    scores = h @ model.item.weight.T
    scores[:, 0] = float("-inf")
    rank = (scores > scores.gather(1, target[:, None])).sum(1)
    hit = rank < k
    ndcg = torch.where(hit, 1 / torch.log2(rank.float() + 2), torch.zeros_like(rank, dtype=torch.float))
    return hit.float().mean().item(), ndcg.mean().item()


if __name__ == "__main__":
    torch.manual_seed(40)
    gen = torch.Generator().manual_seed(40)
    device = torch.device("cuda")
    model = SASRec().to(device)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3, betas=(0.9, 0.98))
    for step in range(STEPS):
        seq = histories(BATCH, gen).to(device)
        loss = full_softmax_loss(model, seq)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        opt.step()
        print(f"step {step} loss {loss.item():.4f} (uniform {math.log(ITEMS):.3f})")
    model.eval()
    hr, ndcg = rank_metrics(model, histories(512, gen).to(device))
    print(f"HR@10 {hr:.4f} NDCG@10 {ndcg:.4f}")
    print("peak MiB", torch.cuda.max_memory_allocated() // 2**20)
