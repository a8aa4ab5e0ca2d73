"""Post-training 4-bit quantisation of an OPT-shaped model: Hessians by hooks, column-wise error feedback (GPTQ)."""
import math
import time

import torch
import torch.nn as nn
from transformers import OPTConfig, OPTForCausalLM

HIDDEN, FFN, LAYERS, VOCAB = 1024, 2048, 4, 16000
CALIB, SEQ, BLOCK, GROUP, BITS = 24, 512, 128, 128, 4
DEV = "cuda"


class HessianCollector:
    def __init__(self, lin):
        self.H = torch.zeros(lin.in_features, lin.in_features, device=lin.weight.device)
        self.n = 0
        self.h = lin.register_forward_pre_hook(self.add)

    def add(self, mod, args):
        x = args[0].reshape(-1, args[0].shape[-1]).float()
        self.H *= self.n / (self.n + len(x))
        self.n += len(x)
        x = math.sqrt(2 / self.n) * x
        self.H += x.T @ x


def q_params(w):
    qmax = 2**BITS - 1
    lo, hi = w.amin(1).clamp(max=0), w.amax(1).clamp(min=0)
    s = ((hi - lo) / qmax).clamp(min=1e-8)
    return s, (-lo / s).round()


def fake_q(w, s, z):
    return s * ((w / s).round().add(z).clamp(0, 2**BITS - 1) - z)


@torch.no_grad()
def gptq(lin, H):
    W = lin.weight.float().clone()
    dead = H.diag() == 0
    H[dead, dead] = 1
    H.diagonal().add_(0.01 * H.diag().mean())
    Hinv = torch.cholesky_inverse(torch.linalg.cholesky(H.double()))
    U = torch.linalg.cholesky(Hinv, upper=True).float()
    Q = torch.zeros_like(W)
    for i in range(0, W.shape[1], BLOCK):
        j = min(i + BLOCK, W.shape[1])
        blk, E, u = W[:, i:j].clone(), torch.zeros_like(W[:, i:j]), U[i:j, i:j]
        for k in range(j - i):
            if (i + k) % GROUP == 0:
                s, z = q_params(W[:, i + k:i + k + GROUP])
            q = fake_q(blk[:, k], s, z)
            Q[:, i + k] = q
            e = (blk[:, k] - q) / u[k, k]
            blk[:, k:] -= e[:, None] * u[k, k:][None]
            E[:, k] = e
        W[:, j:] -= E @ U[i:j, j:]
    lin.weight.copy_(Q.to(lin.weight.dtype))


@torch.no_grad()
def perplexity(model, ids):
    tot = 0.0
    for b in ids.split(4):
        tot += model(input_ids=b, labels=b).loss.item() * len(b)
    return math.exp(min(tot / len(ids), 20))


@torch.no_grad()
def main():
    torch.manual_seed(17)
    model = OPTForCausalLM(OPTConfig(vocab_size=VOCAB, hidden_size=HIDDEN, ffn_dim=FFN, num_hidden_layers=LAYERS,
                                     num_attention_heads=16, word_embed_proj_dim=HIDDEN,
                                     max_position_embeddings=1024)).half().to(DEV).eval()
    ids = torch.randint(4, VOCAB, (CALIB, SEQ), device=DEV)
    print("ppl before", round(perplexity(model, ids[:8]), 1))
    t0 = time.time()
    for li, layer in enumerate(model.model.decoder.layers[:2]):
        lins = {n: m for n, m in layer.named_modules() if isinstance(m, nn.Linear)}
        col = {n: HessianCollector(m) for n, m in lins.items()}
        for b in ids.split(8):
            model(input_ids=b)
        for n, m in lins.items():
            col[n].h.remove()
            gptq(m, col[n].H)
        del col
        torch.cuda.empty_cache()
        print(f"layer {li} done {time.time() - t0:.1f}s, allocated {torch.cuda.memory_allocated() >> 20} MiB")
    print("ppl after", round(perplexity(model, ids[:8]), 1))
    print("peak", torch.cuda.max_memory_allocated() >> 20, "MiB")


main()
