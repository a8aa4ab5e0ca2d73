"""CleanRL-like PPO for continuous actions on a batched point-mass environment living on the GPU."""
import time
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
from torch.distributions.normal import Normal


@dataclass
class Args:
    seed: int = 1
    num_envs: int = 4096
    num_steps: int = 32
    iterations: int = 3
    update_epochs: int = 2
    num_minibatches: int = 4
    obs_dim: int = 60
    act_dim: int = 12
    hidden: int = 512
    lr: float = 3e-4
    gamma: float = 0.99
    gae_lambda: float = 0.95
    clip_coef: float = 0.2
    ent_coef: float = 0.001
    vf_coef: float = 0.5
    max_grad_norm: float = 0.5


class PointMassVec:
    def __init__(self, a, device):
        self.a, self.device = a, device
        self.dyn = torch.randn(a.act_dim, a.obs_dim, device=device) * 0.1
        self.reset()

    def reset(self):
        self.s = torch.randn(self.a.num_envs, self.a.obs_dim, device=self.device)
        self.t = torch.zeros(self.a.num_envs, device=self.device)
        return self.s.clone()

    def step(self, act):
        self.s = 0.97 * self.s + act.clamp(-1, 1) @ self.dyn + 0.01 * torch.randn_like(self.s)
        self.t += 1
        reward = -self.s.pow(2).mean(-1) - 0.01 * act.pow(2).sum(-1)
        done = (self.t > 100) | (torch.rand_like(self.t) < 0.01)
        self.s = torch.where(done[:, None], torch.randn_like(self.s), self.s)
        self.t = torch.where(done, torch.zeros_like(self.t), self.t)
        return self.s.clone(), reward, done.float()


def layer_init(layer, std=np.sqrt(2), bias=0.0):
    nn.init.orthogonal_(layer.weight, std)
    nn.init.constant_(layer.bias, bias)
    return layer


class Agent(nn.Module):
    def __init__(self, a):
        super().__init__()
        mlp = lambda out, std: nn.Sequential(
            layer_init(nn.Linear(a.obs_dim, a.hidden)), nn.Tanh(),
            layer_init(nn.Linear(a.hidden, a.hidden)), nn.Tanh(), layer_init(nn.Linear(a.hidden, out), std))
        self.critic, self.actor_mean = mlp(1, 1.0), mlp(a.act_dim, 0.01)
        self.actor_logstd = nn.Parameter(torch.zeros(1, a.act_dim))

    def forward(self, x, action=None):
        mean = self.actor_mean(x)
        dist = Normal(mean, self.actor_logstd.expand_as(mean).exp())
        if action is None:
            action = dist.sample()
        return action, dist.log_prob(action).sum(1), dist.entropy().sum(1), self.critic(x).flatten()


def main():
    a = Args()
    torch.manual_seed(a.seed)
    device = torch.device("cuda")
    env, agent = PointMassVec(a, device), Agent(a).to(device)
    opt = torch.optim.Adam(agent.parameters(), lr=a.lr, eps=1e-5)
    shape = (a.num_steps, a.num_envs)
    obs = torch.zeros(*shape, a.obs_dim, device=device)
    actions = torch.zeros(*shape, a.act_dim, device=device)
    logprobs, rewards, dones, values = (torch.zeros(shape, device=device) for _ in range(4))
    next_obs, next_done = env.reset(), torch.zeros(a.num_envs, device=device)
    batch = a.num_envs * a.num_steps
    mb = batch // a.num_minibatches
    start = time.time()
    for it in range(1, a.iterations + 1):
        opt.param_groups[0]["lr"] = (1 - (it - 1) / a.iterations) * a.lr
        for step in range(a.num_steps):
            obs[step], dones[step] = next_obs, next_done
            with torch.no_grad():
                act, lp, _, v = agent(next_obs)
            actions[step], logprobs[step], values[step] = act, lp, v
            next_obs, rewards[step], next_done = env.step(act)
        with torch.no_grad():
            next_value = agent.critic(next_obs).flatten()
            adv, last = torch.zeros_like(rewards), 0
            for t in reversed(range(a.num_steps)):
                nonterm = 1.0 - (next_done if t == a.num_steps - 1 else dones[t + 1])
                nv = next_value if t == a.num_steps - 1 else values[t + 1]
                delta = rewards[t] + a.gamma * nv * nonterm - values[t]
                adv[t] = last = delta + a.gamma * a.gae_lambda * nonterm * last
            returns = adv + values
        b_obs, b_act = obs.reshape(batch, -1), actions.reshape(batch, -1)
        b_lp, b_adv, b_ret, b_val = (t.reshape(-1) for t in (logprobs, adv, returns, values))
        for _ in range(a.update_epochs):
            for idx in torch.randperm(batch, device=device).split(mb):
                _, newlp, ent, newv = agent(b_obs[idx], b_act[idx])
                ratio = (newlp - b_lp[idx]).exp()
                ad = b_adv[idx]
                ad = (ad - ad.mean()) / (ad.std() + 1e-8)
                pg = torch.max(-ad * ratio, -ad * ratio.clamp(1 - a.clip_coef, 1 + a.clip_coef)).mean()
                vclip = b_val[idx] + (newv - b_val[idx]).clamp(-a.clip_coef, a.clip_coef)
                vloss = 0.5 * torch.max((newv - b_ret[idx]) ** 2, (vclip - b_ret[idx]) ** 2).mean()
                loss = pg - a.ent_coef * ent.mean() + a.vf_coef * vloss
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), a.max_grad_norm)
                opt.step()
        print(f"iter {it} reward {rewards.mean().item():.3f} v_loss {vloss.item():.3f} "
              f"SPS {int(it * batch / (time.time() - start))} peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
