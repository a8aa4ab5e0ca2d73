# limit: 8
"""Pretraining loop of a GPT-2 small with gradient accumulation."""
import time
import torch
from transformers import GPT2Config, GPT2LMHeadModel

torch.manual_seed(1337)
device = "cuda"
micro_batch, block_size, accum = 4, 256, 16
max_iters = 5

config = GPT2Config(vocab_size=8192, n_positions=512, resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0)
model = GPT2LMHeadModel(config).to(device)
model.train()
decay = [p for p in model.parameters() if p.dim() >= 2]
nodecay = [p for p in model.parameters() if p.dim() < 2]
optimizer = torch.optim.AdamW(
    [{"params": decay, "weight_decay": 0.1}, {"params": nodecay, "weight_decay": 0.0}],
    lr=6e-4, betas=(0.9, 0.95))


def get_batch():
    x = torch.randint(0, config.vocab_size, (micro_batch, block_size))
    return x.to(device)


for it in range(max_iters):
    t0 = time.time()
    total = 0.0
    for micro in range(accum):
        x = get_batch()
        loss = model(input_ids=x, labels=x).loss
        total = total + loss / accum
    total.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    print(f"iter {it}: loss {total.item():.4f}, {time.time() - t0:.2f}s")
