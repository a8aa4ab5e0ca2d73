"""Interpretability: harvest residual-stream activations of a GPT-NeoX model by a hook, train a top-k SAE on them."""
import torch
import torch.nn as nn
from transformers import GPTNeoXConfig, GPTNeoXModel

D, LAYERS, HOOK_LAYER = 768, 8, 5
N_LATENTS, TOPK = 24576, 32
CTX, SEQS_PER_FILL, FILLS = 256, 32, 2
SAE_BATCH, AUXK = 2048, 256
DEV = "cuda"


class TopKSAE(nn.Module):
    def __init__(self, d, n, k):
        super().__init__()
        self.k = k
        self.b_dec = nn.Parameter(torch.zeros(d))
        self.enc = nn.Linear(d, n)
        self.W_dec = nn.Parameter(self.enc.weight.data.clone())
        self.register_buffer("last_fired", torch.zeros(n, dtype=torch.long))
        self.normalise()

    @torch.no_grad()
    def normalise(self):
        self.W_dec.div_(self.W_dec.norm(dim=1, keepdim=True) + 1e-8)

    def forward(self, x):
        pre = self.enc(x - self.b_dec)
        val, idx = pre.topk(self.k, dim=-1)
        z = torch.zeros_like(pre).scatter(-1, idx, val.relu())
        return z @ self.W_dec + self.b_dec, pre, idx

    def aux(self, pre, resid, dead):
        if not dead.any():
            return resid.new_zeros(())
        masked = pre.masked_fill(~dead, float("-inf"))
        val, idx = masked.topk(min(AUXK, int(dead.sum())), dim=-1)
        z = torch.zeros_like(pre).scatter(-1, idx, val.relu())
        return ((z @ self.W_dec - resid) ** 2).mean()


class Harvester:
    def __init__(self, module):
        self.buf = []
        self.handle = module.register_forward_hook(self._hook)

    def _hook(self, mod, inp, out):
        h = out[0] if isinstance(out, tuple) else out
        self.buf.append(h.detach().flatten(0, 1).float())

    def take(self):
        x, self.buf = torch.cat(self.buf), []
        return x


def main():
    torch.manual_seed(42)
    lm = GPTNeoXModel(GPTNeoXConfig(vocab_size=50304, hidden_size=D, num_hidden_layers=LAYERS, num_attention_heads=12,
                                    intermediate_size=4 * D, max_position_embeddings=512))
    lm = lm.to(DEV, torch.float16).eval().requires_grad_(False)
    hv = Harvester(lm.layers[HOOK_LAYER])
    sae = TopKSAE(D, N_LATENTS, TOPK).to(DEV)
    opt = torch.optim.Adam(sae.parameters(), lr=2e-4, eps=6.25e-10, betas=(0.9, 0.999))
    seen = 0
    for fill in range(FILLS):
        with torch.no_grad():
            for chunk in torch.randint(0, 50304, (SEQS_PER_FILL, CTX), device=DEV).split(8):
                lm(chunk)
        acts = hv.take()
        acts = acts[torch.randperm(len(acts), device=DEV)]
        for x in acts.split(SAE_BATCH):
            recon, pre, idx = sae(x)
            err = recon - x
            dead = (seen - sae.last_fired) > 4 * SAE_BATCH
            loss = (err**2).mean() / x.var() + sae.aux(pre, -err.detach(), dead) / 32
            opt.zero_grad()
            loss.backward()
            # drop the gradient component along each dictionary vector
            with torch.no_grad():
                g = sae.W_dec.grad
                g -= (g * sae.W_dec).sum(1, keepdim=True) * sae.W_dec
            opt.step()
            sae.normalise()
            seen += len(x)
            sae.last_fired[idx.unique()] = seen
        print(f"fill {fill} tokens {seen} loss {loss.item():.4f} dead {int(dead.sum())}")
    hv.handle.remove()
    print("peak", torch.cuda.max_memory_allocated() >> 20)


if __name__ == "__main__":
    main()
