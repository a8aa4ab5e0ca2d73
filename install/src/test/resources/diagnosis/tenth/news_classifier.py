# limit: 3
import torch
from transformers import BertConfig, BertForSequenceClassification, get_linear_schedule_with_warmup

STEPS = 40
config = BertConfig(vocab_size=12000, hidden_size=384, num_hidden_layers=4, num_attention_heads=6, intermediate_size=1024, num_labels=5)
model = BertForSequenceClassification(config).cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-5)
scheduler = get_linear_schedule_with_warmup(optimizer, 5, STEPS)


def fake_batch(size=16, length=128):
    ids = torch.randint(10, 12000, (size, length))
    return ids.cuda(), torch.ones_like(ids).cuda(), torch.randint(0, 5, (size,)).cuda()


model.train()
losses = []
for step in range(STEPS):
    ids, mask, labels = fake_batch()
    out = model(input_ids=ids, attention_mask=mask, labels=labels)
    out.loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    scheduler.step()
    optimizer.zero_grad()
    losses.append(out.loss.item())
    if step % 10 == 9:
        print(step, sum(losses[-10:]) / 10)

model.eval()
correct = n = 0
with torch.no_grad():
    for _ in range(10):
        ids, mask, labels = fake_batch(64)
        correct += (model(input_ids=ids, attention_mask=mask).logits.argmax(-1) == labels).sum().item()
        n += len(labels)
print("accuracy", correct / n)
