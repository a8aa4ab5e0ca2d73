"""
GPT-2 style pre-training on a stream of random tokens.
  * gradient checkpointing by HF
  * gradient accumulation
  * plain for-loop AdamW (foreach=False)
  * packed documents, fixed context
"""
import math
import os
import shutil
import tempfile
import time
from contextlib import nullcontext

import torch
from transformers import GPT2Config, GPT2LMHeadModel

# ---- settings -------------------------------------------------------------
n_layer, n_head, n_embd = 10, 12, 768
block_size = 512
vocab_size = 50304
batch_size = 8
grad_accum = 3
max_iters = 4
eval_iters = 2
learning_rate, min_lr, warmup_iters = 6e-4, 6e-5, 1
betas = (0.9, 0.95)
weight_decay = 0.1
grad_clip = 1.0
device = "cuda"
amp_dtype = torch.bfloat16
seed = 1337
# ---------------------------------------------------------------------------

torch.manual_seed(seed)
torch.backends.cuda.matmul.allow_tf32 = True
ctx = torch.autocast(device_type=device, dtype=amp_dtype) if amp_dtype else nullcontext()

g = torch.Generator().manual_seed(seed)
tokens = torch.randint(0, vocab_size - 100, (400_000,), generator=g, dtype=torch.int32)
split = int(0.9 * len(tokens))
data = {"train": tokens[:split], "val": tokens[split:]}


def get_batch(which):
    d = data[which]
    ix = torch.randint(len(d) - block_size, (batch_size,), generator=g)
    x = torch.stack([d[i : i + block_size].long() for i in ix])
    return x.to(device)


def lr_at(it):
    if it < warmup_iters:
        return learning_rate * (it + 1) / (warmup_iters + 1)
    r = (it - warmup_iters) / max(1, max_iters - warmup_iters)
    return min_lr + 0.5 * (1 + math.cos(math.pi * r)) * (learning_rate - min_lr)


cfg = GPT2Config(
    vocab_size=vocab_size, n_positions=block_size, n_embd=n_embd, n_layer=n_layer, n_head=n_head,
    resid_pdrop=0.1, embd_pdrop=0.1, attn_pdrop=0.1, use_cache=False, bos_token_id=0, eos_token_id=0,
)
model = GPT2LMHeadModel(cfg).to(device)
model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
decay = [p for p in model.parameters() if p.dim() >= 2]
rest = [p for p in model.parameters() if p.dim() < 2]
optimizer = torch.optim.AdamW(
    [{"params": decay, "weight_decay": weight_decay}, {"params": rest, "weight_decay": 0.0}],
    lr=learning_rate, betas=betas, foreach=False,
)
print(f"{model.num_parameters() / 1e6:.1f}M parameters, {sum(p.numel() for p in decay) / 1e6:.1f}M decayed")


@torch.no_grad()
def estimate_loss():
    model.eval()
    out = {}
    for which in data:
        ls = []
        for _ in range(eval_iters):
            x = get_batch(which)
            with ctx:
                ls.append(model(x, labels=x).loss)
        out[which] = torch.stack(ls).mean().item()
    model.train()
    return out


model.train()
ckdir = tempfile.mkdtemp(prefix="gpt2_")
try:
    for it in range(max_iters):
        t0 = time.time()
        for group in optimizer.param_groups:
            group["lr"] = lr_at(it)
        total = 0.0
        for _ in range(grad_accum):
            x = get_batch("train")
            with ctx:
                loss = model(x, labels=x).loss / grad_accum
            loss.backward()
            total += loss.detach()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), grad_clip)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        print(f"iter {it}: loss {total.item():.4f} norm {norm.item():.2f} {1000 * (time.time() - t0):.0f}ms")
    print(estimate_loss())
    torch.save({"model": model.state_dict(), "iter": max_iters}, os.path.join(ckdir, "ckpt.pt"))
finally:
    shutil.rmtree(ckdir)
print(f"peak allocated {torch.cuda.max_memory_allocated() / 1e9:.2f} GB")
