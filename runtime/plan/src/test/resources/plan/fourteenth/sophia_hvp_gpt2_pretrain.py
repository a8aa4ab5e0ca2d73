"""GPT-2 (random init) with a home-made Sophia-H optimizer: Hutchinson diagonal Hessian every k steps."""
import torch
import torch.nn.functional as F
from torch.optim import Optimizer
from transformers import GPT2Config, GPT2LMHeadModel


class SophiaH(Optimizer):
    def __init__(self, params, lr=3e-4, betas=(0.96, 0.99), rho=0.04, weight_decay=0.1, eps=1e-15):
        super().__init__(params, dict(lr=lr, betas=betas, rho=rho, weight_decay=weight_decay, eps=eps))

    @torch.no_grad()
    def update_hessian(self, params, hvps, probes):
        b2 = self.defaults["betas"][1]
        for p, h, u in zip(params, hvps, probes):
            st = self.state[p]
            if "hess" not in st:
                st["hess"] = torch.zeros_like(p)
            st["hess"].mul_(b2).add_(h * u, alpha=1 - b2)

    @torch.no_grad()
    def step(self, closure=None):
        for g in self.param_groups:
            b1 = g["betas"][0]
            for p in g["params"]:
                if p.grad is None:
                    continue
                st = self.state[p]
                if "m" not in st:
                    st["m"] = torch.zeros_like(p)
                    st.setdefault("hess", torch.zeros_like(p))
                st["m"].mul_(b1).add_(p.grad, alpha=1 - b1)
                p.mul_(1 - g["lr"] * g["weight_decay"])
                ratio = (st["m"].abs() / (g["rho"] * st["hess"].clamp(min=0) + g["eps"])).clamp(max=1.0)
                p.add_(st["m"].sign() * ratio, alpha=-g["lr"])


def markov_tokens(n, length, vocab, gen):
    x = torch.zeros(n, length, dtype=torch.long)
    x[:, 0] = torch.randint(0, vocab, (n,), generator=gen)
    noise = torch.randint(0, 7, (n, length), generator=gen)
    for t in range(1, length):
        x[:, t] = (x[:, t - 1] * 31 + noise[:, t]) % vocab
    return x


def lm_loss(model, ids):
    logits = model(input_ids=ids[:, :-1], use_cache=False).logits
    return F.cross_entropy(logits.reshape(-1, logits.size(-1)), ids[:, 1:].reshape(-1))


def main():
    BATCH = 8
    HESS_BATCH = 2
    SEQ = 256
    VOCAB = 8192
    EMBD = 512
    LAYERS = 6
    STEPS = 6
    EVERY = 3
    torch.manual_seed(2024)
    gen = torch.Generator().manual_seed(0)
    cfg = GPT2Config(vocab_size=VOCAB, n_positions=SEQ, n_embd=EMBD, n_layer=LAYERS, n_head=8,
                     resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, attn_implementation="eager")
    model = GPT2LMHeadModel(cfg).to("cuda").train()
    params = [p for p in model.parameters() if p.requires_grad]
    print(f"{sum(p.numel() for p in params) / 1e6:.1f}M params")
    opt = SophiaH(params)
    for step in range(STEPS):
        if step % EVERY == 0:
            ids = markov_tokens(HESS_BATCH, SEQ, VOCAB, gen).to("cuda")
            loss = lm_loss(model, ids)
            grads = torch.autograd.grad(loss, params, create_graph=True)
            probes = [torch.randint_like(p, 0, 2).mul_(2).sub_(1) for p in params]
            gv = sum((g * u).sum() for g, u in zip(grads, probes))
            hvps = torch.autograd.grad(gv, params)
            opt.update_hessian(params, hvps, probes)
            del grads, gv, hvps, probes, loss
        ids = markov_tokens(BATCH, SEQ, VOCAB, gen).to("cuda")
        loss = lm_loss(model, ids)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(params, 1.0)
        opt.step()
        hs = sum(s["hess"].abs().sum().item() for s in opt.state.values())
        print(f"step {step} loss {loss.item():.4f} |H| {hs:.4f} peak {torch.cuda.max_memory_allocated() / 2**30:.2f}GiB")


if __name__ == "__main__":
    main()
