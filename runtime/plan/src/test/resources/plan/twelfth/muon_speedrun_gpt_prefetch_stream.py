"""Speed-run style GPT: Muon (Newton-Schulz) for matrices + AdamW for the rest, QK-norm, rotary, side stream prefetch."""
import torch
import torch.nn as nn
import torch.nn.functional as F

VOCAB, CTX, DIM, HEADS, LAYERS = 50304, 512, 640, 5, 8
BATCH, STEPS = 4, 5
device = torch.device("cuda")


def newton_schulz(G, steps=5):
    a, b, c = 3.4445, -4.7750, 2.0315
    X = G.bfloat16()
    if G.size(0) > G.size(1):
        X = X.T
    X = X / (X.norm() + 1e-7)
    for _ in range(steps):
        A = X @ X.T
        X = a * X + (b * A + c * A @ A) @ X
    return X.T if G.size(0) > G.size(1) else X


class Muon(torch.optim.Optimizer):
    def __init__(self, params, lr=0.02, momentum=0.95):
        super().__init__(params, dict(lr=lr, momentum=momentum))

    @torch.no_grad()
    def step(self):
        for g in self.param_groups:
            for p in g["params"]:
                buf = self.state[p].setdefault("buf", torch.zeros_like(p))
                buf.lerp_(p.grad, 1 - g["momentum"])
                u = newton_schulz(p.grad.lerp(buf, g["momentum"]))
                p.add_(u.to(p.dtype), alpha=-g["lr"] * max(1, p.size(0) / p.size(1)) ** 0.5)


def rotary(x, cos, sin):
    a, b = x.chunk(2, -1)
    return torch.cat([a * cos + b * sin, b * cos - a * sin], -1)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.o = nn.Linear(DIM, 3 * DIM, bias=False), nn.Linear(DIM, DIM, bias=False)
        self.up, self.down = nn.Linear(DIM, 4 * DIM, bias=False), nn.Linear(4 * DIM, DIM, bias=False)
        nn.init.zeros_(self.o.weight), nn.init.zeros_(self.down.weight)

    def forward(self, x, cos, sin):
        B, T, _ = x.shape
        h = F.rms_norm(x, (DIM,))
        q, k, v = self.qkv(h).view(B, T, 3 * HEADS, -1).transpose(1, 2).chunk(3, 1)
        q, k = (rotary(F.rms_norm(t, (t.shape[-1],)), cos, sin).to(v.dtype) for t in (q, k))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.o(y.transpose(1, 2).reshape(B, T, DIM))
        return x + self.down(F.relu(self.up(F.rms_norm(x, (DIM,)))).square())


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, DIM)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.head = nn.Linear(DIM, VOCAB, bias=False)
        nn.init.zeros_(self.head.weight)
        f = 1e4 ** -torch.linspace(0, 1, DIM // HEADS // 2)
        ang = torch.outer(torch.arange(CTX).float(), f)
        self.register_buffer("cos", ang.cos()), self.register_buffer("sin", ang.sin())

    def forward(self, ids, targets):
        x = F.rms_norm(self.emb(ids), (DIM,))
        for b in self.blocks:
            x = b(x, self.cos, self.sin)
        logits = self.head(F.rms_norm(x, (DIM,)))
        logits = 30 * torch.tanh(logits.float() / 30)
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten())


class Prefetcher:
    def __init__(self, tokens):
        self.tokens, self.stream, self.pos = tokens, torch.cuda.Stream(), 0
        self.load()

    def load(self):
        n = BATCH * CTX
        chunk = self.tokens[self.pos:self.pos + n + 1]
        self.pos += n
        with torch.cuda.stream(self.stream):
            self.x = chunk[:-1].to(device, non_blocking=True).view(BATCH, CTX)
            self.y = chunk[1:].to(device, non_blocking=True).view(BATCH, CTX)

    def next(self):
        torch.cuda.current_stream().wait_stream(self.stream)
        x, y = self.x, self.y
        x.record_stream(torch.cuda.current_stream()), y.record_stream(torch.cuda.current_stream())
        self.load()
        return x, y


def main():
    torch.manual_seed(1337)
    data = torch.randint(0, VOCAB, ((STEPS + 1) * BATCH * CTX + 1,)).pin_memory()
    model = GPT().to(device)
    mats = [p for p in model.blocks.parameters() if p.ndim == 2]
    muon = Muon(mats)
    adam = torch.optim.AdamW([*model.emb.parameters(), *model.head.parameters()], lr=3e-3, betas=(0.8, 0.95), fused=True)
    feed = Prefetcher(data)
    for it in range(STEPS):
        x, y = feed.next()
        with torch.autocast(device.type, dtype=torch.bfloat16):
            loss = model(x, y)
        loss.backward()
        muon.step(), adam.step()
        model.zero_grad(set_to_none=True)
        print(f"step {it} loss {loss.item():.4f} allocated {torch.cuda.memory_allocated() >> 20} MiB")
    print("peak", torch.cuda.max_memory_allocated() >> 20, "MiB")


if __name__ == "__main__":
    main()
