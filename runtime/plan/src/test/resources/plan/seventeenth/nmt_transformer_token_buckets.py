"""Machine translation with torch.nn.Transformer: batches by token budget, label smoothing, Noam, tied softmax, greedy decode."""
import random

import torch
import torch.nn as nn

SRC_VOCAB = TGT_VOCAB = 16000
D, HEADS, ENC, DEC, FFN = 512, 8, 4, 4, 2048
MAX_TOKENS = 4096
PAIRS = 400
MAX_LEN = 120
MAX_BATCHES = 8
PAD, BOS, EOS = 0, 1, 2
device = torch.device("cuda")


def corpus(seed=0):
    r = random.Random(seed)
    out = []
    for _ in range(PAIRS):
        n = min(MAX_LEN, max(4, int(r.lognormvariate(3.2, 0.6))))
        m = min(MAX_LEN, max(4, int(n * r.uniform(0.8, 1.3))))
        out.append(([r.randrange(3, SRC_VOCAB) for _ in range(n)] + [EOS],
                    [BOS] + [r.randrange(3, TGT_VOCAB) for _ in range(m)] + [EOS]))
    return out


def bucket(pairs, seed):
    """sort by length, then cut so that rows * longest <= MAX_TOKENS"""
    pairs = sorted(pairs, key=lambda p: (len(p[0]), len(p[1])))
    batches, cur, longest = [], [], 0
    for p in pairs:
        l = max(longest, len(p[0]), len(p[1]))
        if cur and l * (len(cur) + 1) > MAX_TOKENS:
            batches.append(cur)
            cur, l = [], max(len(p[0]), len(p[1]))
        cur.append(p)
        longest = l
    batches.append(cur)
    random.Random(seed).shuffle(batches)
    return batches


def tensorize(rows):
    m = max(len(r) for r in rows)
    return torch.tensor([r + [PAD] * (m - len(r)) for r in rows], device=device)


class Translator(nn.Module):
    def __init__(self):
        super().__init__()
        self.src, self.tgt = nn.Embedding(SRC_VOCAB, D, padding_idx=PAD), nn.Embedding(TGT_VOCAB, D, padding_idx=PAD)
        self.pos = nn.Embedding(512, D)
        self.tr = nn.Transformer(D, HEADS, ENC, DEC, FFN, dropout=0.1, batch_first=True, norm_first=True)
        self.gen = nn.Linear(D, TGT_VOCAB, bias=False)
        self.gen.weight = self.tgt.weight
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.xavier_uniform_(p)

    def embed(self, table, ids):
        return table(ids) * D ** 0.5 + self.pos(torch.arange(ids.size(1), device=ids.device))

    def forward(self, s, t):
        causal = nn.Transformer.generate_square_subsequent_mask(t.size(1), device=t.device)
        h = self.tr(self.embed(self.src, s), self.embed(self.tgt, t), tgt_mask=causal, tgt_is_causal=True,
                    src_key_padding_mask=(s == PAD).float() * -1e9, tgt_key_padding_mask=(t == PAD).float() * -1e9,
                    memory_key_padding_mask=(s == PAD).float() * -1e9)
        return self.gen(h)

    @torch.no_grad()
    def greedy(self, s, steps):
        out = torch.full((len(s), 1), BOS, device=s.device)
        for _ in range(steps):
            nxt = self(s, out)[:, -1].argmax(-1, keepdim=True)
            out = torch.cat([out, nxt], 1)
        return out


def main():
    torch.manual_seed(9)
    torch.backends.mha.set_fastpath_enabled(False)  # same kernels in training and decoding
    model = Translator().to(device)
    opt = torch.optim.Adam(model.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9, foreach=False)
    noam = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: D ** -0.5 * min((s + 1) ** -0.5, (s + 1) * 400 ** -1.5))
    crit = nn.CrossEntropyLoss(ignore_index=PAD, label_smoothing=0.1, reduction="sum")
    for i, rows in enumerate(bucket(corpus(), 1)[:MAX_BATCHES]):
        s, t = tensorize([r[0] for r in rows]), tensorize([r[1] for r in rows])
        ntok = (t[:, 1:] != PAD).sum()
        logits = model(s, t[:, :-1])
        loss = crit(logits.reshape(-1, TGT_VOCAB), t[:, 1:].reshape(-1)) / ntok
        opt.zero_grad()
        loss.backward()
        opt.step()
        noam.step()
        print(f"{i}: {len(rows)} pairs src {s.size(1)} tgt {t.size(1)} loss {loss.item():.3f} "
              f"peak {torch.cuda.max_memory_allocated() >> 20} MiB")
        del logits, loss
    model.eval()
    hyp = model.greedy(s[:16], 12)
    print("hypothesis", hyp[0].tolist())


if __name__ == "__main__":
    main()
