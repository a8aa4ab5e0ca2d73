import torch
from transformers import BertConfig, BertForSequenceClassification
torch.manual_seed(0)
model = BertForSequenceClassification(BertConfig(hidden_size=512, num_hidden_layers=6, num_attention_heads=8, intermediate_size=2048, num_labels=4)).cuda().train()
no_decay = [p for n, p in model.named_parameters() if p.ndim < 2]
decay = [p for n, p in model.named_parameters() if p.ndim >= 2]
opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.01}, {"params": no_decay, "weight_decay": 0.0}], lr=5e-5)
scaler = torch.amp.GradScaler("cuda")
for length in (128, 96, 144):
    ids, y = torch.randint(0, 30522, (24, length), device="cuda"), torch.randint(0, 4, (24,), device="cuda")
    mask = (torch.arange(length, device="cuda")[None] < torch.randint(20, length, (24, 1), device="cuda")).long()
    with torch.autocast("cuda", dtype=torch.float16):
        loss = model(input_ids=ids, attention_mask=mask, labels=y).loss
    scaler.scale(loss).backward()
    scaler.unscale_(opt)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(opt)
    scaler.update()
    opt.zero_grad()
