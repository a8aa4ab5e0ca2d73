import torch
from transformers import DistilBertConfig, DistilBertForSequenceClassification
torch.manual_seed(0)
model = DistilBertForSequenceClassification(DistilBertConfig(n_layers=4, dim=512, hidden_dim=2048, n_heads=8, vocab_size=12000, num_labels=3)).cuda().train()
opt = torch.optim.AdamW(model.parameters(), lr=5e-5)
for step in range(2):
    for micro in range(4):
        ids = torch.randint(0, 12000, (12, 96), device="cuda"); mask = torch.ones_like(ids); y = torch.randint(0, 3, (12,), device="cuda")
        loss = model(input_ids=ids, attention_mask=mask, labels=y).loss / 4
        loss.backward()
    opt.step(); opt.zero_grad()
