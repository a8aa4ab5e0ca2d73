import torch
from transformers import BertConfig, BertForTokenClassification
torch.manual_seed(0)
model = BertForTokenClassification(BertConfig(vocab_size=12000, hidden_size=320, num_hidden_layers=5, num_attention_heads=5, intermediate_size=1280, num_labels=9)).cuda()
opt = torch.optim.AdamW(model.parameters(), lr=5e-5, eps=1e-8)


def batch():
    lengths = torch.randint(40, 96, (20, 1))
    mask = (torch.arange(96)[None] < lengths).long()
    ids = torch.randint(1, 12000, (20, 96)) * mask
    labels = torch.where(mask.bool(), torch.randint(0, 9, (20, 96)), torch.tensor(-100))
    return {"input_ids": ids.cuda(), "attention_mask": mask.cuda(), "labels": labels.cuda()}


for epoch in range(2):
    model.train()
    for step in range(2):
        opt.zero_grad()
        loss = model(**batch()).loss
        loss.backward()
        opt.step()
    model.eval()
    right = count = 0
    with torch.no_grad():
        for step in range(2):
            data = batch()
            out = model(**data)
            keep = data["labels"] != -100
            right += ((out.logits.argmax(-1) == data["labels"]) & keep).sum().item()
            count += keep.sum().item()
