# limit: 1.6
import math
import random

import torch
from transformers import GPT2Config, GPT2LMHeadModel

random.seed(0)
torch.manual_seed(0)
device = "cuda"

# sonnets, one token id list each (tokenised elsewhere)
sonnets = [[random.randrange(50257) for _ in range(random.randrange(60, 96))] for _ in range(64)]


def collate(rows):
    n = max(map(len, rows))
    ids = torch.full((len(rows), n), 50256)
    labels = torch.full((len(rows), n), -100)
    for i, r in enumerate(rows):
        ids[i, :len(r)] = torch.tensor(r)
        labels[i, :len(r)] = torch.tensor(r)
    return ids.to(device), labels.to(device)


def perplexity(model):
    model.eval()
    with torch.no_grad():
        losses = []
        for i in range(0, 16):
            ids, labels = collate(sonnets[i:i + 1])
            losses.append(model(input_ids=ids, labels=labels).loss.item())
    model.train()
    return math.exp(min(sum(losses) / len(losses), 20))


model = GPT2LMHeadModel(GPT2Config()).to(device)
print("parameters", model.num_parameters())
print("perplexity before", perplexity(model))

optimizer = torch.optim.AdamW(model.parameters(), lr=5e-5, weight_decay=0.01)
accumulate = 16
step = 0
for epoch in range(2):
    for i, row in enumerate(sonnets):
        ids, labels = collate([row])
        loss = model(input_ids=ids, labels=labels).loss / accumulate
        loss.backward()
        if (i + 1) % accumulate == 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            step += 1
            print("step", step, "loss", loss.item() * accumulate)
print("perplexity after", perplexity(model))
