# limit: 3
import gc

import torch
import torch.nn as nn

model = nn.Sequential(
    nn.Linear(1024, 4096), nn.GELU(), nn.Linear(4096, 4096), nn.GELU(), nn.Linear(4096, 1024)
).cuda()
opt = torch.optim.Adam(model.parameters(), lr=1e-4)


def clean():
    gc.collect()
    torch.cuda.empty_cache()


def train_one_batch():
    x = torch.randn(4096, 1024, device="cuda")
    loss = (model(x) - x.flip(1)).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


history = []
for step in range(80):
    history.append(train_one_batch())
    clean()
    if step % 20 == 0:
        print(step, history[-1], torch.cuda.memory_reserved() // 2**20)
print("best", min(history))
