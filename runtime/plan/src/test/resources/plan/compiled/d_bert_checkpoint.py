"""A BERT of transformers with padding and checkpoints, compiled, in bfloat16 autocast."""
import torch
from transformers import BertConfig, BertForSequenceClassification

torch.manual_seed(0)
model = BertForSequenceClassification(BertConfig(vocab_size=12000, hidden_size=384, num_hidden_layers=4, num_attention_heads=6, intermediate_size=1536,
                                                 num_labels=5)).cuda()
model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
model.train()
compiled = torch.compile(model)
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-5, fused=True)
for step in range(4):
    ids, mask = torch.randint(0, 12000, (24, 320), device="cuda"), torch.ones(24, 320, dtype=torch.long, device="cuda")
    mask[::2, 240:] = 0
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = compiled(input_ids=ids, attention_mask=mask, labels=torch.randint(0, 5, (24,), device="cuda")).loss
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad()
print(loss.item())
