# limit: 1.5
import torch
import torch.nn as nn

torch.manual_seed(0)
dev = "cuda"


class Critic(nn.Module):
    def __init__(self, d=2048):
        super().__init__()
        self.l1, self.l2, self.l3 = nn.Linear(784, d), nn.Linear(d, d), nn.Linear(d, 1)

    def forward(self, x):
        h = torch.tanh(self.l1(x))
        h = torch.tanh(self.l2(h))
        return self.l3(h).squeeze(-1)


critic = Critic().to(dev)
opt = torch.optim.RMSprop(critic.parameters(), lr=5e-5)
curve = []

for step in range(600):
    real = torch.rand(512, 784, device=dev)
    fake = torch.rand(512, 784, device=dev)
    score_real, score_fake = critic(real), critic(fake)
    wasserstein = score_fake.mean() - score_real.mean()
    drift = 1e-3 * score_real.pow(2).mean()

    opt.zero_grad()
    wasserstein.backward(retain_graph=True)
    drift.backward(retain_graph=True)
    opt.step()
    for p in critic.parameters():
        p.data.clamp_(-0.01, 0.01)

    curve.append(wasserstein)
    if step % 50 == 0:
        print(step, wasserstein.item(), drift.item())

print("final", torch.stack(curve[-100:]).mean().item())
