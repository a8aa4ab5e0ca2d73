# limit: 1.3
import torch
from torch import nn
from transformers import LlamaConfig, LlamaModel, LlamaForCausalLM

CFG = dict(vocab_size=8000, hidden_size=640, intermediate_size=1728, num_hidden_layers=8,
           num_attention_heads=10, num_key_value_heads=10)


class Scalar(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = LlamaModel(LlamaConfig(**CFG))
        self.head = nn.Linear(CFG["hidden_size"], 1)

    def forward(self, ids):
        return self.head(self.body(ids).last_hidden_state).squeeze(-1)[:, -1]


class Rlhf:
    def __init__(self):
        self.policy = LlamaForCausalLM(LlamaConfig(**CFG)).to("cuda")
        self.reference = LlamaForCausalLM(LlamaConfig(**CFG)).to("cuda").eval().requires_grad_(False)
        self.opt = torch.optim.SGD(self.policy.parameters(), lr=1e-4, momentum=0.9)
        self.reward = self.value = None

    def add_critic(self):
        print("adding the learned reward and the critic")
        self.reward = Scalar().to("cuda").eval().requires_grad_(False)
        self.value = Scalar().to("cuda")
        self.vopt = torch.optim.SGD(self.value.parameters(), lr=1e-4, momentum=0.9)

    def logp(self, m, ids):
        lp = m(ids[:, :-1]).logits.log_softmax(-1)
        return lp.gather(-1, ids[:, 1:, None]).squeeze(-1)

    def step(self, ids):
        with torch.no_grad():
            ref = self.logp(self.reference, ids)
            rew = self.reward(ids) if self.reward is not None else (ids % 5 == 0).float().mean(1)
        adv = rew
        if self.value is not None:
            v = self.value(ids)
            (v - rew).square().mean().backward()
            self.vopt.step()
            self.vopt.zero_grad()
            adv = rew - v.detach()
        lp = self.logp(self.policy, ids)
        loss = -(adv * lp.sum(1)).mean() + 0.02 * (lp - ref).mean()
        loss.backward()
        self.opt.step()
        self.opt.zero_grad()
        return loss.item()


def main():
    torch.manual_seed(0)
    r = Rlhf()
    for it in range(16):
        if it == 6:
            r.add_critic()
        ids = torch.randint(0, CFG["vocab_size"], (4, 64), device="cuda")
        print(it, f"{r.step(ids):.4f}")


if __name__ == "__main__":
    main()
