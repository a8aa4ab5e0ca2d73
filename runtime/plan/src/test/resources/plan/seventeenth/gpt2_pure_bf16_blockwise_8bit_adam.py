"""GPT-2 (small) in pure bf16 with my own block-wise 8-bit Adam: both moments are stored as int8 / uint8 with one
float scale per 256 elements; updates use stochastic rounding."""
import torch
from transformers import GPT2Config, GPT2LMHeadModel

BLOCK = 256
BATCH = 6
SEQ = 512
STEPS = 4
LAYERS, EMBD, VOCAB = 12, 768, 50257
DEV = "cuda"


def quantize(x, signed):
    pad = -x.numel() % BLOCK
    x = torch.nn.functional.pad(x.flatten(), (0, pad)).view(-1, BLOCK)
    scale = x.abs().amax(1, keepdim=True).clamp(min=1e-12)
    if signed:
        q = (x / scale * 127).round().to(torch.int8)
    else:
        # square root companding: small second moments must not vanish
        q = ((x / scale).sqrt() * 255).ceil().clamp(max=255).to(torch.uint8)
    return q, scale


def dequantize(q, scale, like, signed):
    x = q.float() / 127 if signed else (q.float() / 255).square()
    return (x * scale).flatten()[: like.numel()].view_as(like)


def stochastic_round_bf16(x):
    bits = x.view(torch.int32) + torch.randint_like(x, 1 << 16, dtype=torch.int32)
    return (bits & -65536).view(torch.float32).to(torch.bfloat16)


class Adam8bit(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.99), eps=1e-8, weight_decay=0.0):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self, closure=None):
        for g in self.param_groups:
            b1, b2 = g["betas"]
            for p in g["params"]:
                if p.grad is None:
                    continue
                st = self.state[p]
                grad = p.grad.float()
                if not st:
                    st["t"] = 0
                    st["m"] = quantize(torch.zeros_like(grad), True)
                    st["v"] = quantize(torch.zeros_like(grad), False)
                st["t"] += 1
                m = dequantize(*st["m"], grad, True).lerp_(grad, 1 - b1)
                v = dequantize(*st["v"], grad, False).mul_(b2).addcmul_(grad, grad, value=1 - b2)
                st["m"], st["v"] = quantize(m, True), quantize(v, False)
                denom = (v / (1 - b2 ** st["t"])).sqrt_().add_(g["eps"])
                new = p.float().mul_(1 - g["lr"] * g["weight_decay"]).addcdiv_(m, denom, value=-g["lr"] / (1 - b1 ** st["t"]))
                p.copy_(stochastic_round_bf16(new))
                p.grad = None   # free as we go

    def state_bytes(self):
        n = 0
        for st in self.state.values():
            for k in ("m", "v"):
                n += sum(t.numel() * t.element_size() for t in st[k])
        return n


def main():
    torch.manual_seed(50)
    cfg = GPT2Config(vocab_size=VOCAB, n_layer=LAYERS, n_embd=EMBD, n_head=EMBD // 64, n_positions=1024,
                     resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, use_cache=False)
    model = GPT2LMHeadModel(cfg).to(DEV, torch.bfloat16)
    model.train()
    n = sum(p.numel() for p in model.parameters())
    print(f"{n / 1e6:.0f}M params, weights {n * 2 / 2**20:.0f} MiB")
    opt = Adam8bit(model.parameters(), lr=3e-4, weight_decay=0.05)
    for step in range(STEPS):
        ids = torch.randint(VOCAB, (BATCH, SEQ), device=DEV)
        loss = model(input_ids=ids, labels=ids).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        before = torch.cuda.memory_allocated()
        opt.step()
        print(f"step {step} loss {loss.item():.3f} before step {before / 2**20:.0f} after "
              f"{torch.cuda.memory_allocated() / 2**20:.0f} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
        del loss
    print(f"optimizer state {opt.state_bytes() / 2**20:.0f} MiB (fp32 Adam would be {8 * n / 2**20:.0f})")


if __name__ == "__main__":
    main()
