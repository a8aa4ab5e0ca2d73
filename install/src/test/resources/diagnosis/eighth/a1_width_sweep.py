# limit: 3
"""Random search over learning rates; diverged trials are recorded with their error."""
import random
import torch
import torch.nn as nn

random.seed(0)
torch.manual_seed(0)


class Diverged(ValueError):
    pass


def train_trial(lr, width, steps=20):
    data = torch.randn(32768, 512, device="cuda")
    target = torch.randn(32768, 1, device="cuda")
    model = nn.Sequential(nn.Linear(512, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(),
                          nn.Linear(width, 1)).to("cuda")
    opt = torch.optim.SGD(model.parameters(), lr=lr)
    for step in range(steps):
        pred = model(data)
        loss = (pred - target).pow(2).mean()
        if step > 2 and loss.item() > 0.5:
            raise Diverged(f"lr={lr:.3f} width={width} loss={loss.item():.3g} at step {step}")
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


results, failed = [], []
for trial in range(60):
    lr = 10 ** random.uniform(-3, -1)
    width = random.choice([512, 768, 1024])
    try:
        score = train_trial(lr, width)
        results.append((score, lr, width))
    except Diverged as err:
        failed.append((trial, err))
        print("trial", trial, "failed:", err)

print(len(results), "finished,", len(failed), "failed")
