"""Dreamer-like agent: RSSM with categorical latents, KL balancing, actor-critic on imagined rollouts."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Independent, Normal, OneHotCategoricalStraightThrough, kl_divergence

torch.manual_seed(17)
dev = "cuda"
B = 20
T = 24
DETER = 512
CATS = 24
CLS = 24
ACT = 4
DEPTH = 32
HORIZON = 12
STEPS = 4
LAM, GAMMA = 0.95, 0.99


def mlp(i, o, h=400, n=2):
    l = []
    for k in range(n):
        l += [nn.Linear(i if k == 0 else h, h), nn.LayerNorm(h), nn.SiLU()]
    return nn.Sequential(*l, nn.Linear(h, o))


class WorldModel(nn.Module):
    def __init__(self):
        super().__init__()
        d = DEPTH
        self.enc = nn.Sequential(nn.Conv2d(3, d, 4, 2), nn.SiLU(), nn.Conv2d(d, 2 * d, 4, 2), nn.SiLU(),
                                 nn.Conv2d(2 * d, 4 * d, 4, 2), nn.SiLU(), nn.Conv2d(4 * d, 8 * d, 4, 2), nn.SiLU(), nn.Flatten())
        self.inp = nn.Sequential(nn.Linear(CATS * CLS + ACT, DETER), nn.SiLU())
        self.gru = nn.GRUCell(DETER, DETER)
        self.prior, self.post = mlp(DETER, CATS * CLS, n=1), mlp(DETER + 8 * d * 4, CATS * CLS, n=1)
        f = DETER + CATS * CLS
        self.dec_in = nn.Linear(f, 32 * d)
        self.dec = nn.Sequential(nn.ConvTranspose2d(32 * d, 4 * d, 5, 2), nn.SiLU(), nn.ConvTranspose2d(4 * d, 2 * d, 5, 2), nn.SiLU(),
                                 nn.ConvTranspose2d(2 * d, d, 6, 2), nn.SiLU(), nn.ConvTranspose2d(d, 3, 6, 2))
        self.rew = mlp(f, 1)

    @staticmethod
    def dist(logits):
        p = logits.view(*logits.shape[:-1], CATS, CLS).softmax(-1) * 0.99 + 0.01 / CLS
        return Independent(OneHotCategoricalStraightThrough(probs=p), 1)

    def imagine_step(self, h, z, a):
        h = self.gru(self.inp(torch.cat([z, a], -1)), h)
        pr = self.dist(self.prior(h))
        return h, pr.rsample().flatten(-2), pr

    def observe(self, obs, act):
        e = self.enc(obs.flatten(0, 1)).view(B, T, -1)
        h, z = torch.zeros(B, DETER, device=dev), torch.zeros(B, CATS * CLS, device=dev)
        hs, zs, kls = [], [], []
        for t in range(T):
            h, _, prior = self.imagine_step(h, z, act[:, t])
            lp = self.post(torch.cat([h, e[:, t]], -1))
            post = self.dist(lp)
            z = post.rsample().flatten(-2)
            pd, qd = self.dist(self.prior(h).detach()), self.dist(lp.detach())
            kls.append(0.8 * kl_divergence(qd, prior).clamp_min(1.0) + 0.2 * kl_divergence(post, pd).clamp_min(1.0))
            hs.append(h)
            zs.append(z)
        return torch.stack(hs, 1), torch.stack(zs, 1), torch.stack(kls, 1)


wm = WorldModel().to(dev)
actor, critic = mlp(DETER + CATS * CLS, 2 * ACT).to(dev), mlp(DETER + CATS * CLS, 1).to(dev)
ow = torch.optim.Adam(wm.parameters(), 3e-4, eps=1e-5)
oa = torch.optim.Adam(actor.parameters(), 8e-5)
oc = torch.optim.Adam(critic.parameters(), 8e-5)


def policy(f):
    m, s = actor(f).chunk(2, -1)
    return Independent(Normal(torch.tanh(m), F.softplus(s) + 0.1), 1)


for step in range(STEPS):
    act = torch.rand(B, T, ACT, device=dev) * 2 - 1
    phase = act.cumsum(1).mean(-1)
    ax = torch.linspace(-3, 3, 64, device=dev)
    obs = torch.sin(ax.view(1, 1, 1, 1, 64) * (1 + phase.view(B, T, 1, 1, 1)) + ax.view(1, 1, 1, 64, 1)).expand(B, T, 3, 64, 64) * 0.5
    rew = torch.cos(phase)
    h, z, kl = wm.observe(obs, act)
    f = torch.cat([h, z], -1)
    rec = wm.dec(wm.dec_in(f).view(B * T, -1, 1, 1)).view_as(obs)
    lw = (rec - obs).pow(2).sum((-1, -2, -3)).mean() + (wm.rew(f).squeeze(-1) - rew).pow(2).mean() + kl.mean()
    ow.zero_grad()
    lw.backward()
    nn.utils.clip_grad_norm_(wm.parameters(), 100.0)
    ow.step()

    wm.requires_grad_(False)
    h, z = h.detach().flatten(0, 1), z.detach().flatten(0, 1)
    feats, ents = [torch.cat([h, z], -1)], []
    for _ in range(HORIZON):
        pi = policy(feats[-1].detach())
        a = pi.rsample()
        ents.append(pi.entropy())
        h, z, _ = wm.imagine_step(h, z, a)
        feats.append(torch.cat([h, z], -1))
    F_ = torch.stack(feats)
    r, v = wm.rew(F_).squeeze(-1), critic(F_).squeeze(-1)
    ret, last = [], v[-1]
    for t in reversed(range(HORIZON)):
        last = r[t + 1] + GAMMA * ((1 - LAM) * v[t + 1] + LAM * last)
        ret.insert(0, last)
    ret = torch.stack(ret)
    la = -(ret.mean() + 3e-4 * torch.stack(ents).mean())
    oa.zero_grad()
    la.backward()
    oa.step()
    lc = (critic(F_[:-1].detach()).squeeze(-1) - ret.detach()).pow(2).mean()
    oc.zero_grad()
    lc.backward()
    oc.step()
    wm.requires_grad_(True)
    print(f"{step} model {lw.item():.1f} kl {kl.mean().item():.2f} return {ret.mean().item():.3f} critic {lc.item():.4f}")
print("peak MiB", torch.cuda.max_memory_allocated() / 2**20)
