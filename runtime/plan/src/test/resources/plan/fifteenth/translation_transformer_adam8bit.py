"""
Encoder-decoder Transformer for translation. Length-bucketed batches, pure bf16 weights, block-wise 8-bit Adam
written by hand, Noam schedule, reentrant activation checkpointing, greedy decoding.
"""
import math
import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

D_MODEL, HEADS, FFN, LAYERS = 1024, 16, 4096, 6
VOCAB, PAD, BOS, EOS = 32000, 0, 1, 2
MAX_TOKENS = 4096
MAX_LEN = 100
STEPS = 6
BLOCK = 256
device = torch.device("cuda")


class Adam8bit(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.98), eps=1e-6):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps))

    @staticmethod
    def quantize(x, signed):
        flat = F.pad(x.flatten(), (0, -x.numel() % BLOCK)).view(-1, BLOCK)
        scale = flat.abs().amax(1, keepdim=True).clamp_min(1e-12)
        if signed:
            return (flat / scale * 127).round().to(torch.int8), scale
        return ((flat / scale).sqrt() * 255).round().to(torch.uint8), scale

    @staticmethod
    def dequantize(q, scale, like, signed):
        x = q.float() / 127 if signed else (q.float() / 255).square()
        return (x * scale).flatten()[: like.numel()].view_as(like)

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            b1, b2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                st, g = self.state[p], p.grad.float()
                if not st:
                    st["step"], st["m"], st["v"] = 0, self.quantize(torch.zeros_like(g), True), self.quantize(torch.zeros_like(g), False)
                st["step"] += 1
                m = self.dequantize(*st["m"], p, True).mul_(b1).add_(g, alpha=1 - b1)
                v = self.dequantize(*st["v"], p, False).mul_(b2).addcmul_(g, g, value=1 - b2)
                denom = (v / (1 - b2 ** st["step"])).sqrt_().add_(group["eps"])
                p.add_((m / (1 - b1 ** st["step"]) / denom).to(p.dtype), alpha=-group["lr"])
                st["m"], st["v"] = self.quantize(m, True), self.quantize(v, False)


class Seq2SeqTransformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok = nn.Embedding(VOCAB, D_MODEL, padding_idx=PAD)
        pos = torch.arange(512).unsqueeze(1)
        den = torch.exp(-torch.arange(0, D_MODEL, 2) * math.log(10000) / D_MODEL)
        pe = torch.zeros(512, D_MODEL)
        pe[:, 0::2], pe[:, 1::2] = torch.sin(pos * den), torch.cos(pos * den)
        self.register_buffer("pe", pe)
        kw = dict(d_model=D_MODEL, nhead=HEADS, dim_feedforward=FFN, dropout=0.1, batch_first=True, norm_first=True)
        self.enc = nn.ModuleList([nn.TransformerEncoderLayer(**kw) for _ in range(LAYERS)])
        self.dec = nn.ModuleList([nn.TransformerDecoderLayer(**kw) for _ in range(LAYERS)])
        self.norm_e, self.norm_d = nn.LayerNorm(D_MODEL), nn.LayerNorm(D_MODEL)
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.xavier_uniform_(p)

    def embed(self, ids):
        return F.dropout(self.tok(ids) * math.sqrt(D_MODEL) + self.pe[: ids.size(1)], 0.1, self.training)

    def run(self, layer, *args):
        return checkpoint(layer, *args, use_reentrant=True) if self.training else layer(*args)

    def encode(self, src):
        x, pad = self.embed(src), src == PAD
        for layer in self.enc:
            x = self.run(layer, x, None, pad)
        return self.norm_e(x), pad

    def decode(self, tgt, mem, pad):
        x = self.embed(tgt)
        causal = torch.ones(tgt.size(1), tgt.size(1), dtype=torch.bool, device=tgt.device).triu(1)
        for layer in self.dec:
            x = self.run(layer, x, mem, causal, None, None, pad)
        return F.linear(self.norm_d(x), self.tok.weight)


def bucketed_batches(n, rng):
    pairs = [(rng.randint(5, MAX_LEN), rng.randint(5, MAX_LEN)) for _ in range(n)]
    pairs.sort()
    batch = []
    for p in pairs:
        if (len(batch) + 1) * max(max(q) for q in batch + [p]) > MAX_TOKENS:
            yield batch
            batch = []
        batch.append(p)


def to_tensors(lengths, gen):
    src = torch.zeros(len(lengths), max(a for a, _ in lengths), dtype=torch.long)
    tgt = torch.zeros(len(lengths), max(b for _, b in lengths) + 2, dtype=torch.long)
    for i, (a, b) in enumerate(lengths):
        src[i, :a] = torch.randint(3, VOCAB, (a,), generator=gen)
        tgt[i, : b + 2] = torch.cat([torch.tensor([BOS]), torch.randint(3, VOCAB, (b,), generator=gen), torch.tensor([EOS])])
    return src.to(device), tgt.to(device)


@torch.no_grad()
def greedy(model, src, max_len=15):
    model.eval()
    mem, pad = model.encode(src)
    ys = torch.full((len(src), 1), BOS, device=device)
    for _ in range(max_len):
        ys = torch.cat([ys, model.decode(ys, mem, pad)[:, -1].argmax(-1, keepdim=True)], 1)
    return ys


def main():
    torch.manual_seed(2017)
    rng, gen = random.Random(2017), torch.Generator().manual_seed(2017)
    model = Seq2SeqTransformer().to(device, torch.bfloat16)
    opt = Adam8bit(model.parameters())
    batches = list(bucketed_batches(1200, rng))
    rng.shuffle(batches)
    model.train()
    for step, lengths in enumerate(batches[:STEPS], 1):
        opt.param_groups[0]["lr"] = D_MODEL ** -0.5 * min(step ** -0.5, step * 400 ** -1.5)
        src, tgt = to_tensors(lengths, gen)
        logits = model.decode(tgt[:, :-1], *model.encode(src))
        loss = F.cross_entropy(logits.float().flatten(0, 1), tgt[:, 1:].flatten(), ignore_index=PAD, label_smoothing=0.1)
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(f"step {step} batch {tuple(src.shape)}->{tuple(tgt.shape)} loss {loss.item():.3f} mem {torch.cuda.memory_allocated() >> 20} MiB")
    out = greedy(model, src[:16])
    print("decoded", tuple(out.shape), f"peak {torch.cuda.max_memory_allocated() >> 20} MiB")


if __name__ == "__main__":
    main()
