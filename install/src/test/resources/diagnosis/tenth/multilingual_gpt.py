# limit: 4
import torch
from transformers import GPT2Config, GPT2LMHeadModel

VOCAB = 128_000
config = GPT2Config(vocab_size=VOCAB, n_positions=512, n_embd=256, n_layer=4, n_head=4, resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0)
model = GPT2LMHeadModel(config).cuda()
print(sum(p.numel() for p in model.parameters()) / 1e6, "M parameters")

no_decay = [p for p in model.parameters() if p.ndim < 2]
decay = [p for p in model.parameters() if p.ndim >= 2]
opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.1}, {"params": no_decay, "weight_decay": 0.0}], lr=6e-4)


def get_batch(batch=8, length=512):
    return torch.randint(0, VOCAB, (batch, length)).cuda()


tokens_seen = 0
for step in range(100):
    ids = get_batch()
    out = model(ids, labels=ids, use_cache=False)
    out.loss.backward()
    opt.step()
    opt.zero_grad()
    tokens_seen += ids.numel()
    if step % 10 == 0:
        print(f"{tokens_seen} tokens, loss {out.loss.item():.3f}")
