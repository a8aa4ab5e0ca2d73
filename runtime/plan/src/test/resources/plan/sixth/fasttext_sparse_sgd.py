import torch
import torch.nn as nn
torch.manual_seed(0)
bag = nn.EmbeddingBag(300_000, 64, mode="sum", sparse=True).cuda()
words = nn.Embedding(50_000, 64, sparse=True).cuda()
head = nn.Linear(128, 30).cuda()
sparse = torch.optim.SGD([*bag.parameters(), *words.parameters()], lr=0.5)
dense = torch.optim.Adam(head.parameters(), lr=1e-3)
for step in range(4):
    grams, offsets = torch.randint(0, 300_000, (512 * 40,), device="cuda"), torch.arange(0, 512 * 40, 40, device="cuda")
    ids, y = torch.randint(0, 50_000, (512, 12), device="cuda"), torch.randint(0, 30, (512,), device="cuda")
    x = torch.cat([bag(grams, offsets), words(ids).mean(1)], 1)
    loss = nn.functional.cross_entropy(head(x), y)
    sparse.zero_grad()
    dense.zero_grad()
    loss.backward()
    sparse.step()
    dense.step()
