import torch
from transformers import BertConfig, BertForSequenceClassification
model = BertForSequenceClassification(BertConfig(num_hidden_layers=6, num_labels=3)).cuda(); optimizer = torch.optim.AdamW(model.parameters(), lr=5e-5)
for step in range(2):
    ids = torch.randint(0, 30000, (16, 128), device="cuda"); mask = torch.ones(16, 128, dtype=torch.long, device="cuda"); mask[:, 100:] = 0
    loss = model(input_ids=ids, attention_mask=mask, labels=torch.randint(0, 3, (16,), device="cuda")).loss; loss.backward(); optimizer.step(); optimizer.zero_grad()
