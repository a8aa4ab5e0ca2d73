"""Translation with an encoder-decoder Transformer from torch.nn, token-count batches and the Noam schedule.

Encoder layers use re-entrant activation checkpointing. Greedy decoding at the end (no cache).
"""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

PAD, BOS, EOS = 0, 1, 2
SRC_V, TGT_V = 12000, 14000
D, FF, HEADS, ENC, DEC = 512, 2048, 8, 6, 4
MAX_TOKENS = 6000
N_SENT = 900
WARMUP = 400
STEPS = 6
DEVICE = "cuda"


def corpus(n, seed):
    rng = random.Random(seed)
    pairs = []
    for _ in range(n):
        ls = min(120, max(4, int(rng.gammavariate(3, 12))))
        lt = max(4, int(ls * rng.uniform(0.8, 1.3)))
        pairs.append(([rng.randint(3, SRC_V - 1) for _ in range(ls)] + [EOS],
                      [BOS] + [rng.randint(3, TGT_V - 1) for _ in range(lt)] + [EOS]))
    return pairs


def token_batches(pairs, max_tokens, seed):
    """Batches hold at most max_tokens padded target+source tokens."""
    pairs = sorted(pairs, key=lambda p: (len(p[1]), len(p[0])))
    batches, cur, widest = [], [], 0
    for p in pairs:
        w = max(widest, len(p[0]) + len(p[1]))
        if cur and w * (len(cur) + 1) > max_tokens:
            batches.append(cur)
            cur, w = [], len(p[0]) + len(p[1])
        cur.append(p)
        widest = w
    batches.append(cur)
    random.Random(seed).shuffle(batches)
    return batches


def pad(seqs):
    w = max(map(len, seqs))
    return torch.tensor([s + [PAD] * (w - len(s)) for s in seqs], device=DEVICE)


class NMT(nn.Module):
    def __init__(self):
        super().__init__()
        self.src, self.tgt = nn.Embedding(SRC_V, D, PAD), nn.Embedding(TGT_V, D, PAD)
        pos = torch.arange(512)[:, None] / 10000 ** (torch.arange(0, D, 2) / D)
        self.register_buffer("pe", torch.stack([pos.sin(), pos.cos()], -1).flatten(1))
        self.enc = nn.ModuleList(nn.TransformerEncoderLayer(D, HEADS, FF, 0.1, batch_first=True) for _ in range(ENC))
        self.dec = nn.TransformerDecoder(nn.TransformerDecoderLayer(D, HEADS, FF, 0.1, batch_first=True), DEC)
        self.apply(self._init)

    @staticmethod
    def _init(m):
        if isinstance(m, nn.Linear):
            nn.init.xavier_uniform_(m.weight)
        elif isinstance(m, nn.Embedding):
            nn.init.normal_(m.weight, std=D ** -0.5)

    def encode(self, src):
        mask = src == PAD
        h = self.src(src) * D ** 0.5 + self.pe[: src.size(1)]
        for layer in self.enc:
            if self.training:
                h = checkpoint(layer, h, None, mask, use_reentrant=True)
            else:
                h = layer(h, src_key_padding_mask=mask)
        return h, mask

    def decode(self, memory, mem_mask, tgt):
        t = tgt.size(1)
        causal = torch.ones(t, t, dtype=torch.bool, device=tgt.device).triu(1)
        h = self.tgt(tgt) * D ** 0.5 + self.pe[:t]
        h = self.dec(h, memory, tgt_mask=causal, tgt_key_padding_mask=tgt == PAD, memory_key_padding_mask=mem_mask)
        return F.linear(h, self.tgt.weight)


@torch.no_grad()
def greedy(model, src, max_len=20):
    model.eval()
    memory, mask = model.encode(src)
    out = torch.full((src.size(0), 1), BOS, device=src.device)
    for _ in range(max_len):
        nxt = model.decode(memory, mask, out)[:, -1].argmax(-1, keepdim=True)
        out = torch.cat([out, nxt], 1)
    return out


def main():
    torch.manual_seed(2017)
    model = NMT().to(DEVICE)
    opt = torch.optim.Adam(model.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
    noam = torch.optim.lr_scheduler.LambdaLR(
        opt, lambda s: D ** -0.5 * min((s + 1) ** -0.5, (s + 1) * WARMUP ** -1.5))
    batches = token_batches(corpus(N_SENT, 3), MAX_TOKENS, 4)
    print(f"{len(batches)} batches, sizes {sorted(len(b) for b in batches)[:3]} .. {max(len(b) for b in batches)}")
    for step, batch in enumerate(batches[:STEPS]):
        model.train()
        src, tgt = pad([p[0] for p in batch]), pad([p[1] for p in batch])
        logits = model.decode(*model.encode(src), tgt[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten(), ignore_index=PAD, label_smoothing=0.1)
        opt.zero_grad()
        loss.backward()
        opt.step()
        noam.step()
        print(f"step {step} src {tuple(src.shape)} tgt {tuple(tgt.shape)} loss {loss.item():.3f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    print("greedy", tuple(greedy(model, pad([p[0] for p in batches[0][:8]])).shape))


if __name__ == "__main__":
    main()
