# limit: 1.6
"""SFT, then DPO, on random preference pairs (smoke run of the pipeline)."""
import copy

import torch
import torch.nn.functional as F
from transformers import GPT2Config, GPT2LMHeadModel

DEV = "cuda"
VOCAB = 4000


def logp(model, ids):
    logits = model(input_ids=ids).logits[:, :-1]
    lp = F.log_softmax(logits, dim=-1)
    return lp.gather(-1, ids[:, 1:, None]).squeeze(-1).sum(-1)


def sft(policy, opt, steps):
    for s in range(steps):
        ids = torch.randint(0, VOCAB, (2, 64), device=DEV)
        loss = policy(input_ids=ids, labels=ids).loss
        loss.backward()
        opt.step()
        opt.zero_grad(set_to_none=True)
        print(f"sft {s} {loss.item():.3f}")


def dpo(policy, opt, steps, beta=0.1):
    ref = copy.deepcopy(policy).eval()
    for p in ref.parameters():
        p.requires_grad_(False)
    for s in range(steps):
        chosen = torch.randint(0, VOCAB, (1, 64), device=DEV)
        rejected = torch.randint(0, VOCAB, (1, 64), device=DEV)
        both = torch.cat([chosen, rejected])
        with torch.no_grad():
            r = logp(ref, both)
        p = logp(policy, both)
        margin = (p[0] - p[1]) - (r[0] - r[1])
        loss = -F.logsigmoid(beta * margin)
        loss.backward()
        opt.step()
        opt.zero_grad(set_to_none=True)
        print(f"dpo {s} {loss.item():.3f}")


def main():
    torch.manual_seed(0)
    cfg = GPT2Config(vocab_size=VOCAB, n_positions=128, n_embd=1024, n_layer=12, n_head=16)
    with torch.device(DEV):
        policy = GPT2LMHeadModel(cfg)
    policy.train()
    opt = torch.optim.SGD(policy.parameters(), lr=1e-4)
    sft(policy, opt, 5)
    dpo(policy, opt, 5)


if __name__ == "__main__":
    main()
