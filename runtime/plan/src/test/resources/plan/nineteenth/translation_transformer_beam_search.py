"""German-English style translation with torch.nn transformer layers: Noam schedule, label smoothing computed by a
compiled loss function, reentrant checkpoints in the encoder, bucketed batches, beam search at the end."""
import math
import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

PAD, BOS, EOS = 0, 1, 2
SRC_V, TGT_V = 24_000, 20_000
D, HEADS, FFN, N_ENC, N_DEC = 512, 8, 2048, 6, 6
MAX_TOKENS = 4096
STEPS, WARMUP = 6, 4
BEAM = 4
DEV = torch.device("cuda")


@torch.compile(dynamic=True)
def smoothed_ce(logits, target, eps):
    lp = logits.float().log_softmax(-1)
    nll = -lp.gather(1, target[:, None]).squeeze(1)
    smooth = -lp.mean(-1)
    m = (target != 0).float()
    return (((1 - eps) * nll + eps * smooth) * m).sum() / m.sum()


class Seq2Seq(nn.Module):
    def __init__(self):
        super().__init__()
        self.src, self.tgt = nn.Embedding(SRC_V, D, PAD), nn.Embedding(TGT_V, D, PAD)
        kw = dict(d_model=D, nhead=HEADS, dim_feedforward=FFN, dropout=0.1, batch_first=True, norm_first=True)
        self.enc = nn.ModuleList(nn.TransformerEncoderLayer(**kw) for _ in range(N_ENC))
        self.dec = nn.ModuleList(nn.TransformerDecoderLayer(**kw) for _ in range(N_DEC))
        self.n_enc, self.n_dec = nn.LayerNorm(D), nn.LayerNorm(D)
        for p in self.parameters():
            if p.ndim > 1:
                nn.init.xavier_uniform_(p)
        pos = torch.arange(512)[:, None] / 10000 ** (torch.arange(0, D, 2) / D)
        self.register_buffer("pe", torch.stack([pos.sin(), pos.cos()], -1).flatten(1), persistent=False)

    def encode(self, ids):
        mask = ids == PAD
        x = self.src(ids) * math.sqrt(D) + self.pe[: ids.shape[1]]
        for layer in self.enc:
            if self.training:
                x = checkpoint(layer, x, None, mask, use_reentrant=True)
            else:
                x = layer(x, src_key_padding_mask=mask)
        return self.n_enc(x), mask

    def decode(self, ids, mem, mem_mask):
        t = ids.shape[1]
        causal = torch.ones(t, t, dtype=torch.bool, device=ids.device).triu(1)
        x = self.tgt(ids) * math.sqrt(D) + self.pe[:t]
        for layer in self.dec:
            x = layer(x, mem, tgt_mask=causal, memory_key_padding_mask=mem_mask)
        return F.linear(self.n_dec(x), self.tgt.weight)


def corpus(n, rng):
    pairs = []
    for _ in range(n):
        k = min(120, max(4, int(rng.gammavariate(3, 10))))
        src = [rng.randrange(3, SRC_V) for _ in range(k)] + [EOS]
        pairs.append((src, [BOS] + [s % (TGT_V - 3) + 3 for s in src[:-1]][::-1] + [EOS]))
    return sorted(pairs, key=lambda p: len(p[0]))


def batches(pairs, rng):
    out, cur = [], []
    for p in pairs:
        if cur and (len(cur) + 1) * len(p[1]) > MAX_TOKENS:
            out.append(cur)
            cur = []
        cur.append(p)
    out.append(cur)
    rng.shuffle(out)
    for b in out:
        yield tuple(nn.utils.rnn.pad_sequence([torch.tensor(s) for s in side], batch_first=True).to(DEV)
                    for side in zip(*b))


@torch.no_grad()
def beam_search(model, src, max_len=16):
    model.eval()
    mem, mask = model.encode(src)
    b = len(src)
    mem, mask = mem.repeat_interleave(BEAM, 0), mask.repeat_interleave(BEAM, 0)
    seq = torch.full((b * BEAM, 1), BOS, device=DEV)
    score = torch.full((b, BEAM), -1e9, device=DEV)
    score[:, 0] = 0
    for _ in range(max_len):
        lp = model.decode(seq, mem, mask)[:, -1].float().log_softmax(-1)
        ended = (seq == EOS).any(1)
        lp[ended] = -1e9
        lp[ended, EOS] = 0
        score, flat = (score.view(-1, 1) + lp).view(b, -1).topk(BEAM, -1)
        rows = (torch.arange(b, device=DEV)[:, None] * BEAM + flat // TGT_V).flatten()
        seq = torch.cat([seq[rows], (flat % TGT_V).view(-1, 1)], 1)
    model.train()
    return seq.view(b, BEAM, -1)[:, 0]


def main():
    torch.manual_seed(14)
    rng = random.Random(14)
    model = Seq2Seq().to(DEV)
    opt = torch.optim.Adam(model.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
    sched = torch.optim.lr_scheduler.LambdaLR(
        opt, lambda s: D**-0.5 * min((s + 1) ** -0.5, (s + 1) * WARMUP**-1.5) * 0.05)
    pairs = corpus(1200, rng)
    for step, (src, tgt) in enumerate(batches(pairs, rng)):
        if step == STEPS:
            break
        with torch.autocast("cuda", dtype=torch.bfloat16):
            mem, mask = model.encode(src)
            logits = model.decode(tgt[:, :-1], mem, mask)
        loss = smoothed_ce(logits.flatten(0, 1), tgt[:, 1:].flatten(), 0.1)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        print(f"{step} src {tuple(src.shape)} loss {loss.item():.3f} {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    src = nn.utils.rnn.pad_sequence([torch.tensor(p[0]) for p in pairs[600:616]], batch_first=True).to(DEV)
    print("best hypotheses", tuple(beam_search(model, src).shape))


if __name__ == "__main__":
    main()
