"""Pre-train a tiny Mixtral in pure bf16 with reentrant gradient checkpointing and a hand-written block-wise 8-bit Adam."""
import tempfile
from pathlib import Path

import torch
from transformers import MixtralConfig, MixtralForCausalLM

BLOCK = 2048
BATCH, SEQ, STEPS, ACCUM = 4, 512, 4, 2
VOCAB = 32000


class Adam8bit(torch.optim.Optimizer):
    """moments kept as int8/uint8 with an fp32 scale per block of 2048 values"""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.95), eps=1e-8, weight_decay=0.1):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay))

    @staticmethod
    def _quant(x, signed):
        n = x.numel()
        pad = (-n) % BLOCK
        b = torch.nn.functional.pad(x.flatten(), (0, pad)).view(-1, BLOCK)
        s = b.abs().amax(1, keepdim=True).clamp(min=1e-12)
        if signed:
            return (b / s * 127).round().to(torch.int8), s
        return ((b / s).sqrt() * 255).round().to(torch.uint8), s

    @staticmethod
    def _dequant(q, s, shape, signed):
        x = q.float()
        x = x / 127 * s if signed else (x / 255).square() * s
        return x.flatten()[: shape.numel()].view(shape)

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
                    m, v = torch.zeros_like(grad), torch.zeros_like(grad)
                else:
                    m = self._dequant(*st["m"], p.shape, True)
                    v = self._dequant(*st["v"], p.shape, False)
                st["t"] += 1
                m.lerp_(grad, 1 - b1)
                v.mul_(b2).addcmul_(grad, grad, value=1 - b2)
                denom = (v / (1 - b2 ** st["t"])).sqrt_().add_(g["eps"])
                upd = (m / (1 - b1 ** st["t"])).div_(denom)
                p.mul_(1 - g["lr"] * g["weight_decay"]).add_(upd.to(p.dtype), alpha=-g["lr"])
                st["m"], st["v"] = self._quant(m, True), self._quant(v, False)


def state_bytes(opt):
    return sum(t.numel() * t.element_size() for s in opt.state.values() for k in ("m", "v") for t in s[k])


def main():
    torch.manual_seed(808)
    dev = "cuda"
    cfg = MixtralConfig(vocab_size=VOCAB, hidden_size=512, intermediate_size=1408, num_hidden_layers=6,
                        num_attention_heads=8, num_key_value_heads=4, num_local_experts=8, num_experts_per_tok=2,
                        max_position_embeddings=1024, output_router_logits=True, router_aux_loss_coef=0.02)
    model = MixtralForCausalLM(cfg).to(dev, dtype=torch.bfloat16)
    model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": True})
    model.enable_input_require_grads()
    model.train()
    print(f"{sum(p.numel() for p in model.parameters()) / 1e6:.0f}M parameters")
    opt = Adam8bit(model.parameters(), lr=3e-4)
    for step in range(STEPS):
        total = 0.0
        for _ in range(ACCUM):
            ids = torch.randint(0, VOCAB, (BATCH, SEQ), device=dev)
            out = model(input_ids=ids, labels=ids, use_cache=False)
            (out.loss / ACCUM).backward()
            total += out.loss.item() / ACCUM
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        opt.zero_grad(set_to_none=True)
        print(f"step {step} loss {total:.4f} aux {out.aux_loss.item():.4f} state {state_bytes(opt) >> 20} MiB")
    with tempfile.TemporaryDirectory() as d:
        torch.save({k: v.cpu() for k, v in model.state_dict().items()}, Path(d) / "last.pt")
    print("peak", torch.cuda.max_memory_allocated() >> 20, "MiB")


if __name__ == "__main__":
    main()
