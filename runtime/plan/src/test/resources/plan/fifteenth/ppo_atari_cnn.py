"""PPO (CleanRL flavour) on a fake vectorised pixel environment; rollout storage lives on the GPU."""
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Categorical


@dataclass
class Args:
    seed: int = 1
    num_envs: int = 32
    num_steps: int = 64
    n_actions: int = 6
    total_updates: int = 2
    learning_rate: float = 2.5e-4
    gamma: float = 0.99
    gae_lambda: float = 0.95
    num_minibatches: int = 2
    update_epochs: int = 2
    clip_coef: float = 0.1
    ent_coef: float = 0.01
    vf_coef: float = 0.5
    max_grad_norm: float = 0.5


class FakeVecEnv:
    """Returns stacked 84x84 frames; reward depends on the brightest action column."""

    def __init__(self, n, n_actions, seed):
        self.rng = np.random.default_rng(seed)
        self.n, self.n_actions = n, n_actions

    def _frames(self):
        base = self.rng.integers(0, 256, (self.n, 4, 21, 21), dtype=np.uint8)
        return base.repeat(4, axis=2).repeat(4, axis=3)

    def reset(self):
        self.obs = self._frames()
        return self.obs

    def step(self, action):
        col = self.obs[:, -1].mean(axis=(1))[:, : self.n_actions].argmax(1)
        reward = (col == action).astype(np.float32)
        self.obs = self._frames()
        return self.obs, reward, (self.rng.random(self.n) < 0.02).astype(np.float32)


def layer_init(layer, std=np.sqrt(2), bias_const=0.0):
    torch.nn.init.orthogonal_(layer.weight, std)
    torch.nn.init.constant_(layer.bias, bias_const)
    return layer


class Agent(nn.Module):
    def __init__(self, n_actions):
        super().__init__()
        self.network = nn.Sequential(
            layer_init(nn.Conv2d(4, 32, 8, stride=4)), nn.ReLU(),
            layer_init(nn.Conv2d(32, 64, 4, stride=2)), nn.ReLU(),
            layer_init(nn.Conv2d(64, 64, 3, stride=1)), nn.ReLU(),
            nn.Flatten(), layer_init(nn.Linear(64 * 7 * 7, 512)), nn.ReLU())
        self.actor = layer_init(nn.Linear(512, n_actions), std=0.01)
        self.critic = layer_init(nn.Linear(512, 1), std=1)

    def get_value(self, x):
        return self.critic(self.network(x / 255.0))

    def get_action_and_value(self, x, action=None):
        hidden = self.network(x / 255.0)
        probs = Categorical(logits=self.actor(hidden))
        if action is None:
            action = probs.sample()
        return action, probs.log_prob(action), probs.entropy(), self.critic(hidden)


def main():
    args = Args()
    torch.manual_seed(args.seed)
    device = torch.device("cuda")
    envs = FakeVecEnv(args.num_envs, args.n_actions, args.seed)
    agent = Agent(args.n_actions).to(device)
    optimizer = torch.optim.Adam(agent.parameters(), lr=args.learning_rate, eps=1e-5)
    S, N = args.num_steps, args.num_envs
    obs = torch.zeros((S, N, 4, 84, 84), device=device)
    actions = torch.zeros((S, N), device=device)
    logprobs, rewards, dones, values = (torch.zeros((S, N), device=device) for _ in range(4))
    batch_size = S * N
    mb = batch_size // args.num_minibatches
    next_obs, next_done = torch.tensor(envs.reset(), dtype=torch.float32, device=device), torch.zeros(N, device=device)

    for update in range(args.total_updates):
        optimizer.param_groups[0]["lr"] = (1.0 - update / args.total_updates) * args.learning_rate
        for step in range(S):
            obs[step], dones[step] = next_obs, next_done
            with torch.no_grad():
                action, logprob, _, value = agent.get_action_and_value(next_obs)
                values[step] = value.flatten()
            actions[step], logprobs[step] = action, logprob
            o, r, d = envs.step(action.cpu().numpy())
            rewards[step] = torch.tensor(r, device=device)
            next_obs, next_done = torch.tensor(o, dtype=torch.float32, device=device), torch.tensor(d, device=device)
        with torch.no_grad():
            next_value = agent.get_value(next_obs).reshape(1, -1)
            advantages, last = torch.zeros_like(rewards), 0
            for t in reversed(range(S)):
                nonterm = 1.0 - (next_done if t == S - 1 else dones[t + 1])
                nv = next_value if t == S - 1 else values[t + 1]
                delta = rewards[t] + args.gamma * nv * nonterm - values[t]
                advantages[t] = last = delta + args.gamma * args.gae_lambda * nonterm * last
            returns = advantages + values
        b_obs, b_act, b_lp = obs.reshape(-1, 4, 84, 84), actions.reshape(-1), logprobs.reshape(-1)
        b_adv, b_ret, b_val = advantages.reshape(-1), returns.reshape(-1), values.reshape(-1)
        for _ in range(args.update_epochs):
            perm = torch.randperm(batch_size, device=device)
            for idx in perm.split(mb):
                _, lp, ent, v = agent.get_action_and_value(b_obs[idx], b_act.long()[idx])
                ratio = (lp - b_lp[idx]).exp()
                adv = b_adv[idx]
                adv = (adv - adv.mean()) / (adv.std() + 1e-8)
                pg = torch.max(-adv * ratio, -adv * ratio.clamp(1 - args.clip_coef, 1 + args.clip_coef)).mean()
                v = v.view(-1)
                v_clip = b_val[idx] + (v - b_val[idx]).clamp(-args.clip_coef, args.clip_coef)
                v_loss = 0.5 * torch.max((v - b_ret[idx]) ** 2, (v_clip - b_ret[idx]) ** 2).mean()
                loss = pg - args.ent_coef * ent.mean() + args.vf_coef * v_loss
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), args.max_grad_norm)
                optimizer.step()
        print(f"update {update} reward {rewards.mean().item():.3f} pg {pg.item():.4f} v {v_loss.item():.4f} ent {ent.mean().item():.3f}")
    print(f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
