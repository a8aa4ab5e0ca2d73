import copy

import torch
import torch.nn.functional as F
from transformers import GPT2Config, GPT2LMHeadModel

torch.manual_seed(0)
policy = GPT2LMHeadModel(GPT2Config(vocab_size=8000, n_embd=384, n_layer=4, n_head=6, n_positions=256)).cuda()
reference = copy.deepcopy(policy).eval().requires_grad_(False)
opt = torch.optim.AdamW(policy.parameters(), lr=1e-5)


def log_probs(model, ids, start):
    logits = model(input_ids=ids).logits[:, start - 1:-1]
    return torch.gather(logits.log_softmax(-1), 2, ids[:, start:, None]).squeeze(-1)


for update in range(2):
    prompt = torch.randint(0, 8000, (4, 32), device="cuda").repeat_interleave(6, 0)
    policy.eval()
    with torch.no_grad():
        ids, cache, token = prompt, None, prompt
        for _ in range(40):
            out = policy(input_ids=token, past_key_values=cache, use_cache=True)
            cache = out.past_key_values
            token = torch.multinomial((out.logits[:, -1] / 0.9).softmax(-1), 1)
            ids = torch.cat([ids, token], 1)
        del cache, out
        old, ref = log_probs(policy, ids, 32), log_probs(reference, ids, 32)
    reward = torch.rand(24, device="cuda").view(4, 6)
    advantage = ((reward - reward.mean(1, keepdim=True)) / (reward.std(1, keepdim=True) + 1e-4)).view(-1, 1)
    policy.train()
    for _ in range(2):
        new = log_probs(policy, ids, 32)
        ratio = (new - old).exp()
        kl = (ref - new).exp() - (ref - new) - 1
        loss = -(torch.minimum(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage) - 0.04 * kl).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
