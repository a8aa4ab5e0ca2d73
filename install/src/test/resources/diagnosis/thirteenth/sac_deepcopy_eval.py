# limit: 2.8
"""Distributional Q agent, evaluation on a frozen copy of the agent."""
import copy
import torch
import torch.nn as nn
import torch.nn.functional as F


class QNet(nn.Module):
    def __init__(self, obs=256, width=3500, atoms=51, actions=8):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(obs, width), nn.ReLU())
        for _ in range(9):
            self.trunk.append(nn.Linear(width, width))
            self.trunk.append(nn.ReLU())
        self.out = nn.Linear(width, atoms * actions)
        self.atoms, self.actions = atoms, actions

    def forward(self, x):
        return self.out(self.trunk(x)).view(-1, self.actions, self.atoms)


class Agent:
    def __init__(self):
        self.online = QNet().cuda()
        self.target = copy.deepcopy(self.online).requires_grad_(False)
        self.opt = torch.optim.Adam(self.online.parameters(), lr=6e-5, fused=True)
        self.support = torch.linspace(-10, 10, 51, device="cuda")

    def learn(self, n=128):
        s = torch.randn(n, 256, device="cuda")
        a = torch.randint(0, 8, (n,), device="cuda")
        with torch.no_grad():
            q2 = self.target(s.roll(1, 0)).softmax(-1)
            best = (q2 * self.support).sum(-1).argmax(1)
            tgt = q2[torch.arange(n), best]
        logp = self.online(s)[torch.arange(n), a].log_softmax(-1)
        loss = F.kl_div(logp, tgt, reduction="batchmean")
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def sync(self, tau=0.01):
        with torch.no_grad():
            for p, t in zip(self.online.parameters(), self.target.parameters()):
                t.lerp_(p, tau)


class Evaluator:
    def __init__(self, every):
        self.every, self.frozen = every, None

    def maybe(self, step, agent):
        if step % self.every:
            return
        self.frozen = copy.deepcopy(agent)
        with torch.no_grad():
            q = self.frozen.online(torch.randn(64, 256, device="cuda")).softmax(-1)
            score = (q * agent.support).sum(-1).amax(1).mean().item()
        print(f"step {step}: greedy value {score:.3f}")


def main():
    torch.manual_seed(0)
    agent, ev = Agent(), Evaluator(every=40)
    for step in range(1, 121):
        loss = agent.learn()
        agent.sync()
        ev.maybe(step, agent)
    print("loss", loss)


main()
