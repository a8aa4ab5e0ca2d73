# limit: 8
# "Memory is different in every step: 300 MB, 900 MB, 500 MB ... is that fragmentation?"
import random

import torch
import torch.nn as nn
from torchmetrics.aggregation import MeanMetric
from torchmetrics.classification import MulticlassAccuracy

random.seed(37)
torch.manual_seed(37)


class Tagger(nn.Module):
    def __init__(self, tags=16, dim=256):
        super().__init__()
        self.emb = nn.Embedding(5000, dim)
        layer = nn.TransformerEncoderLayer(dim, 4, 512, batch_first=True, dropout=0.0)
        self.enc = nn.TransformerEncoder(layer, 3, enable_nested_tensor=False)
        self.out = nn.Linear(dim, tags)

    def forward(self, ids):
        return self.out(self.enc(self.emb(ids)))


def sentences(n):
    for _ in range(n):
        length = random.choice([32, 64, 96, 160, 256, 384])
        ids = torch.randint(0, 5000, (32, length), device="cuda")
        yield ids, ids % 16


model = Tagger().to("cuda")
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
mean_loss = MeanMetric().to("cuda")
accuracy = MulticlassAccuracy(num_classes=16).to("cuda")

for epoch in range(3):
    for step, (ids, tags) in enumerate(sentences(40)):
        torch.cuda.reset_peak_memory_stats()
        logits = model(ids)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), tags.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        mean_loss.update(loss.detach())
        accuracy.update(logits.detach().flatten(0, 1), tags.flatten())
        if step % 10 == 0:
            print(f"{epoch}/{step} length {ids.shape[1]} peak {torch.cuda.max_memory_allocated() >> 20} MiB")
    print("epoch", epoch, mean_loss.compute().item(), accuracy.compute().item())
    mean_loss.reset()
    accuracy.reset()
