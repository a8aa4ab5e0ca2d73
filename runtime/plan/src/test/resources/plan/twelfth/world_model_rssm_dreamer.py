"""Dreamer-style world model: conv encoder/decoder + RSSM with discrete latents, then imagined actor-critic update."""
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Independent, Normal, OneHotCategoricalStraightThrough, kl_divergence


@dataclass
class Conf:
    batch: int = 16
    length: int = 32
    deter: int = 512
    groups: int = 32
    classes: int = 32
    actions: int = 6
    horizon: int = 12
    depth: int = 32
    steps: int = 4
    free_nats: float = 1.0


def conv_encoder(d):
    return nn.Sequential(nn.Conv2d(3, d, 4, 2, 1), nn.SiLU(), nn.Conv2d(d, 2 * d, 4, 2, 1), nn.SiLU(),
                         nn.Conv2d(2 * d, 4 * d, 4, 2, 1), nn.SiLU(), nn.Conv2d(4 * d, 8 * d, 4, 2, 1), nn.SiLU(),
                         nn.Flatten())


class Decoder(nn.Module):
    def __init__(self, feat, d):
        super().__init__()
        self.fc, self.d = nn.Linear(feat, 8 * d * 16), d
        self.net = nn.Sequential(nn.ConvTranspose2d(8 * d, 4 * d, 4, 2, 1), nn.SiLU(),
                                 nn.ConvTranspose2d(4 * d, 2 * d, 4, 2, 1), nn.SiLU(),
                                 nn.ConvTranspose2d(2 * d, d, 4, 2, 1), nn.SiLU(), nn.ConvTranspose2d(d, 3, 4, 2, 1))

    def forward(self, f):
        return self.net(self.fc(f).view(-1, 8 * self.d, 4, 4))


class WorldModel(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        stoch = c.groups * c.classes
        self.enc = conv_encoder(c.depth)
        self.inp = nn.Sequential(nn.Linear(stoch + c.actions, c.deter), nn.LayerNorm(c.deter), nn.SiLU())
        self.gru = nn.GRUCell(c.deter, c.deter)
        self.prior = nn.Sequential(nn.Linear(c.deter, c.deter), nn.SiLU(), nn.Linear(c.deter, stoch))
        self.post = nn.Sequential(nn.Linear(c.deter + 8 * c.depth * 16, c.deter), nn.SiLU(), nn.Linear(c.deter, stoch))
        self.dec = Decoder(c.deter + stoch, c.depth)
        self.rew = nn.Linear(c.deter + stoch, 1)

    def dist(self, logits):
        l = logits.unflatten(-1, (self.c.groups, self.c.classes))
        p = 0.99 * l.softmax(-1) + 0.01 / self.c.classes
        return Independent(OneHotCategoricalStraightThrough(probs=p), 1)

    def step(self, h, z, a):
        return self.gru(self.inp(torch.cat([z, a], -1)), h)

    def observe(self, obs, act):
        B, T = obs.shape[:2]
        e = self.enc(obs.flatten(0, 1)).unflatten(0, (B, T))
        h, z = obs.new_zeros(B, self.c.deter), obs.new_zeros(B, self.c.groups * self.c.classes)
        hs, zs, posts = [], [], []
        for t in range(T):
            h = self.step(h, z, act[:, t])
            logit = self.post(torch.cat([h, e[:, t]], -1))
            z = self.dist(logit).rsample().flatten(1)
            hs.append(h), zs.append(z), posts.append(logit)
        return torch.stack(hs, 1), torch.stack(zs, 1), torch.stack(posts, 1)


def main():
    c = Conf()
    torch.manual_seed(100)
    dev = "cuda"
    wm = WorldModel(c).to(dev)
    feat = c.deter + c.groups * c.classes
    actor = nn.Sequential(nn.Linear(feat, 512), nn.SiLU(), nn.Linear(512, c.actions)).to(dev)
    critic = nn.Sequential(nn.Linear(feat, 512), nn.SiLU(), nn.Linear(512, 1)).to(dev)
    o_wm = torch.optim.Adam(wm.parameters(), 1e-4, eps=1e-8)
    o_ac = torch.optim.Adam([*actor.parameters(), *critic.parameters()], 3e-5, eps=1e-5)
    for it in range(c.steps):
        obs = torch.rand(c.batch, c.length, 3, 64, 64, device=dev) - 0.5
        act = F.one_hot(torch.randint(c.actions, (c.batch, c.length), device=dev), c.actions).float()
        rew = torch.randn(c.batch, c.length, device=dev)
        h, z, post = wm.observe(obs, act)
        f = torch.cat([h, z], -1)
        rec = F.mse_loss(wm.dec(f.flatten(0, 1)), obs.flatten(0, 1), reduction="none").flatten(1).sum(1).mean()
        prior = wm.prior(h)
        kl_d = kl_divergence(wm.dist(post.detach()), wm.dist(prior)).mean().clamp(min=c.free_nats)
        kl_r = kl_divergence(wm.dist(post), wm.dist(prior.detach())).mean().clamp(min=c.free_nats)
        loss = rec + F.mse_loss(wm.rew(f).squeeze(-1), rew) + 0.5 * kl_d + 0.1 * kl_r
        o_wm.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(wm.parameters(), 1000)
        o_wm.step()

        # imagination from every posterior state
        wm.requires_grad_(False)
        h, z = h.detach().flatten(0, 1), z.detach().flatten(0, 1)
        feats, logps = [], []
        for _ in range(c.horizon):
            x = torch.cat([h, z], -1)
            pi = OneHotCategoricalStraightThrough(logits=actor(x.detach()))
            a = pi.sample()
            logps.append(pi.log_prob(a))
            feats.append(x)
            with torch.no_grad():
                h = wm.step(h, z, a)
                z = wm.dist(wm.prior(h)).sample().flatten(1)
        fs = torch.stack(feats)
        v = critic(fs).squeeze(-1)
        r = wm.rew(fs).squeeze(-1)
        ret, rets = v[-1].detach(), []
        for t in reversed(range(c.horizon)):
            ret = r[t] + 0.99 * (0.05 * v[t].detach() + 0.95 * ret)
            rets.insert(0, ret)
        rets = torch.stack(rets)
        ac = -(torch.stack(logps) * (rets - v).detach()).mean() + 0.5 * F.mse_loss(v, rets)
        o_ac.zero_grad()
        ac.backward()
        o_ac.step()
        wm.requires_grad_(True)
        print(f"{it} wm {loss.item():.1f} ac {ac.item():.4f}")
    print("reward head on data", Normal(r, 1.0).mean.mean().item(), "peak", torch.cuda.max_memory_allocated() >> 20)


if __name__ == "__main__":
    main()
