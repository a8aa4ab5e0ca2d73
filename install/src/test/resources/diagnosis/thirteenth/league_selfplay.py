# limit: 2.0
# self-play with a league of past selves
import copy
import random
import torch
import torch.nn as nn

random.seed(1)
torch.manual_seed(1)
DEV = "cuda"
OBS, ACT, WIDTH = 512, 32, 3072


def make_policy():
    return nn.Sequential(
        nn.Linear(OBS, WIDTH), nn.ReLU(),
        nn.Linear(WIDTH, WIDTH), nn.ReLU(),
        nn.Linear(WIDTH, WIDTH), nn.ReLU(),
        nn.Linear(WIDTH, WIDTH), nn.ReLU(),
        nn.Linear(WIDTH, WIDTH), nn.ReLU(),
        nn.Linear(WIDTH, ACT)).to(DEV)


class League:
    def __init__(self, first):
        self.members = [copy.deepcopy(first).eval()]
        self.elo = [1000.0]

    def challenge(self):
        k = random.randrange(len(self.members))
        return k, self.members[k]

    def admit(self, policy):
        if len(self.members) == 5:
            worst = min(range(5), key=lambda k: self.elo[k])
            del self.members[worst], self.elo[worst]
        self.members.append(copy.deepcopy(policy).eval())
        self.elo.append(max(self.elo) + 5)


def play(me, other, n=256):
    obs = torch.randn(n, OBS, device=DEV)
    with torch.no_grad():
        theirs = other(obs).softmax(-1)
    logits = me(obs)
    dist = torch.distributions.Categorical(logits=logits)
    act = dist.sample()
    reward = 1.0 - 2.0 * theirs.gather(1, act[:, None]).squeeze(1)
    loss = -(dist.log_prob(act) * (reward - reward.mean())).mean()
    return loss - 0.01 * dist.entropy().mean()


policy = make_policy()
opt = torch.optim.SGD(policy.parameters(), lr=1e-3, momentum=0.9)
league = League(policy)

for update in range(120):
    k, rival = league.challenge()
    loss = play(policy, rival)
    opt.zero_grad()
    loss.backward()
    opt.step()
    league.elo[k] -= loss.item()
    if update % 5 == 4:
        league.admit(policy)
        print(f"update {update + 1}: league of {len(league.members)}, loss {loss.item():.4f}")
