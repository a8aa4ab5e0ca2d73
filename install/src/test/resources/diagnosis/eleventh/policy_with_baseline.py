# limit: 2.5
"""REINFORCE with a moving baseline on a toy sequence task."""
import torch
from torch import nn
from transformers import GPT2Config, GPT2Model

SEED, STEPS, BATCH, LEN = 7, 60, 8, 128


class RewardModel(nn.Module):
    def __init__(self):
        super().__init__()
        cfg = GPT2Config(vocab_size=2000, n_positions=LEN, n_embd=256, n_layer=4, n_head=4)
        self.body = GPT2Model(cfg)
        self.score = nn.Linear(256, 1)

    def forward(self, ids):
        return self.score(self.body(ids).last_hidden_state[:, -1]).squeeze(-1)


class Policy(nn.Module):
    def __init__(self, vocab=2000):
        super().__init__()
        self.table = nn.Parameter(torch.zeros(LEN, vocab))

    def sample(self, n):
        probs = self.table.softmax(-1)
        ids = torch.multinomial(probs, n, replacement=True).t()
        logp = torch.log_softmax(self.table, -1)
        picked = logp.unsqueeze(0).expand(n, -1, -1).gather(2, ids.unsqueeze(-1)).squeeze(-1)
        return ids, picked.sum(1)


def train():
    torch.manual_seed(SEED)
    policy, scorer = Policy().cuda(), RewardModel().cuda()
    opt = torch.optim.Adam(policy.parameters(), lr=0.05)
    baseline = torch.zeros((), device="cuda")
    for step in range(STEPS):
        ids, logp = policy.sample(BATCH)
        reward = scorer(ids)
        advantage = (reward - baseline).detach()
        loss = -(advantage * logp).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        baseline = 0.95 * baseline + 0.05 * reward.mean()
        if step % 10 == 0:
            print(step, float(reward.mean()), float(baseline))


train()
