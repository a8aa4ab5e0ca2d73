"""Decoder LM where each parameter is updated inside backward (post-accumulate hook) by a block-wise 8-bit Adam,
so that neither all gradients nor 32-bit moments are ever held."""
import math

import torch
from torch import nn
from transformers import GPT2Config, GPT2LMHeadModel

BLOCK = 256


def quantize(x, signed):
    """-> uint8 codes and one fp32 scale per block"""
    flat = x.flatten()
    pad = (-flat.numel()) % BLOCK
    if pad:
        flat = torch.cat([flat, flat.new_zeros(pad)])
    flat = flat.view(-1, BLOCK)
    scale = flat.abs().amax(1, keepdim=True).clamp_min(1e-12)
    u = flat / scale
    if signed:
        u = u.sign() * u.abs().sqrt()                 # more resolution near zero
        return ((u + 1) * 127.5).round().to(torch.uint8), scale
    return (u.pow(0.25) * 255).round().to(torch.uint8), scale


def dequantize(code, scale, signed, shape):
    if signed:
        u = code.float() / 127.5 - 1
        flat = u.sign() * u.square() * scale
    else:
        flat = (code.float() / 255).pow(4) * scale
    n = math.prod(shape)
    return flat.flatten()[:n].view(shape)


class Adam8bitHook:
    def __init__(self, model, lr, betas=(0.9, 0.95), eps=1e-8, wd=0.01, clip=1.0):
        self.lr, self.b, self.eps, self.wd, self.clip = lr, betas, eps, wd, clip
        self.state, self.names = {}, {}
        for n, p in model.named_parameters():
            self.names[p] = n
            p.register_post_accumulate_grad_hook(self.update)

    @torch.no_grad()
    def update(self, p):
        g = p.grad.float()
        norm = g.norm()
        g.mul_((self.clip / (norm + 1e-6)).clamp(max=1.0))     # per-tensor clipping
        st = self.state.get(p)
        if st is None:
            st = {"t": 0, "m": quantize(torch.zeros_like(g), True), "v": quantize(torch.zeros_like(g), False)}
            self.state[p] = st
        st["t"] += 1
        b1, b2 = self.b
        m = dequantize(*st["m"], True, g.shape).mul_(b1).add_(g, alpha=1 - b1)
        v = dequantize(*st["v"], False, g.shape).mul_(b2).addcmul_(g, g, value=1 - b2)
        st["m"], st["v"] = quantize(m, True), quantize(v, False)
        denom = (v / (1 - b2 ** st["t"])).sqrt_().add_(self.eps)
        if p.ndim > 1:
            p.mul_(1 - self.lr * self.wd)
        p.addcdiv_(m, denom, value=-self.lr / (1 - b1 ** st["t"]))
        p.grad = None

    def nbytes(self):
        return sum(t.numel() * t.element_size() for s in self.state.values() for k in "mv" for t in s[k])


def main(width=1024, layers=16, heads=16, vocab=32000, ctx=512, batch=2, steps=4):
    torch.manual_seed(4)
    device = "cuda"
    cfg = GPT2Config(vocab_size=vocab, n_positions=ctx, n_embd=width, n_layer=layers, n_head=heads,
                     resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, use_cache=False,
                     bos_token_id=0, eos_token_id=0)
    model = GPT2LMHeadModel(cfg).to(device)
    n = sum(p.numel() for p in model.parameters())
    print(f"{n / 1e6:.0f}M parameters, fp32 weights {n * 4 / 2**30:.2f} GiB")
    opt = Adam8bitHook(model, lr=2e-4)
    model.train()
    for step in range(steps):
        ids = torch.randint(0, vocab, (batch, ctx), device=device)
        opt.lr = 2e-4 * min(1.0, (step + 1) / 2)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = model(input_ids=ids, labels=ids).loss
        loss.backward()                               # parameters are updated here
        print(f"step {step} loss {loss.item():.4f} allocated {torch.cuda.memory_allocated() / 2**20:.0f} MiB "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    print(f"optimizer state {opt.nbytes() / 2**20:.0f} MiB instead of {8 * n / 2**20:.0f} MiB")
    model.eval()
    with torch.inference_mode(), torch.autocast("cuda", dtype=torch.bfloat16):
        ids = torch.randint(0, vocab, (1, ctx), device=device)
        print("eval loss", round(model(input_ids=ids, labels=ids).loss.item(), 4))


if __name__ == "__main__":
    main()
