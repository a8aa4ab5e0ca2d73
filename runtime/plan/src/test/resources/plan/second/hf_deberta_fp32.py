import torch
from transformers import DebertaV2Config, DebertaV2ForSequenceClassification, get_linear_schedule_with_warmup
torch.manual_seed(0)
config = DebertaV2Config(hidden_size=384, num_hidden_layers=4, num_attention_heads=6, intermediate_size=1536, vocab_size=16000, relative_attention=True, position_buckets=64, pos_att_type=["p2c", "c2p"], num_labels=3)
model = DebertaV2ForSequenceClassification(config).cuda().train()
opt = torch.optim.AdamW(model.parameters(), lr=2e-5)
sched = get_linear_schedule_with_warmup(opt, 2, 10)
for step in range(3):
    ids = torch.randint(1, 16000, (12, 160), device="cuda")
    mask = torch.ones(12, 160, dtype=torch.long, device="cuda")
    loss = model(input_ids=ids, attention_mask=mask, labels=torch.randint(0, 3, (12,), device="cuda")).loss
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    sched.step()
    opt.zero_grad()
