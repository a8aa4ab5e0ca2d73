# limit: 5
"""GPT-2 small config, gradient accumulation over 8 micro batches."""
import torch
from transformers import GPT2Config, GPT2LMHeadModel

torch.manual_seed(0)
device = "cuda"
model = GPT2LMHeadModel(GPT2Config(vocab_size=8192, n_positions=256)).to(device).train()
opt = torch.optim.AdamW(model.parameters(), lr=3e-4)
ACCUM = 8
log = []
for step in range(6):
    running = torch.zeros((), device=device)
    for micro in range(ACCUM):
        ids = torch.randint(0, 8192, (2, 128), device=device)
        loss = model(input_ids=ids, labels=ids).loss / ACCUM
        loss.backward()
        running += loss.detach()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    opt.zero_grad()
    log.append(running.item())
    print("step", step, "loss", log[-1])
print("mean", sum(log) / len(log))
