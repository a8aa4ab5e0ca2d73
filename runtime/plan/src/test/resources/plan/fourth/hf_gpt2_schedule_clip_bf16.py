import torch
from transformers import GPT2Config, GPT2LMHeadModel, get_linear_schedule_with_warmup
torch.manual_seed(0)
model = GPT2LMHeadModel(GPT2Config(vocab_size=16000, n_positions=256, n_embd=448, n_layer=6, n_head=7)).cuda().train()
decay = [p for n, p in model.named_parameters() if p.dim() > 1]
rest = [p for n, p in model.named_parameters() if p.dim() <= 1]
opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.01}, {"params": rest, "weight_decay": 0.0}], lr=3e-4)
schedule = get_linear_schedule_with_warmup(opt, 2, 10)
for step in range(3):
    for micro in range(2):
        ids = torch.randint(0, 16000, (6, 200)).cuda()
        mask = torch.ones_like(ids)
        mask[:, 180:] = 0
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = model(input_ids=ids, attention_mask=mask, labels=ids.masked_fill(mask == 0, -100)).loss / 2
        loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    schedule.step()
    opt.zero_grad()
