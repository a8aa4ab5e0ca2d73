"""GRPO in miniature: sample groups with KV cache, score with a rule, update with clipped ratio + KL to frozen copy."""
import copy
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from transformers import LlamaConfig, LlamaForCausalLM


@dataclass
class C:
    vocab: int = 8192
    hidden: int = 640
    layers: int = 10
    prompts: int = 4
    group: int = 8
    prompt_len: int = 64
    new_tokens: int = 96
    inner_epochs: int = 2
    minibatch: int = 16
    iters: int = 2
    clip: float = 0.2
    kl: float = 0.04
    lr: float = 1e-5


def token_logps(model, ids, start):
    logits = model(input_ids=ids, use_cache=False).logits[:, start - 1:-1]
    return torch.stack([F.log_softmax(l.float(), -1).gather(1, t[:, None]).squeeze(1)
                        for l, t in zip(logits, ids[:, start:])])


def reward(completions):
    # prefers even token ids, punishes repetition
    even = (completions % 2 == 0).float().mean(1)
    uniq = torch.tensor([len(set(r.tolist())) / len(r) for r in completions], device=completions.device)
    return even + 0.5 * uniq


def main():
    c = C()
    torch.manual_seed(8)
    device = "cuda"
    policy = LlamaForCausalLM(LlamaConfig(vocab_size=c.vocab, hidden_size=c.hidden, intermediate_size=1728,
                                          num_hidden_layers=c.layers, num_attention_heads=10, num_key_value_heads=5,
                                          max_position_embeddings=512)).to(device)
    ref = copy.deepcopy(policy).to(torch.bfloat16).eval().requires_grad_(False)
    opt = torch.optim.AdamW(policy.parameters(), lr=c.lr, betas=(0.9, 0.99), weight_decay=0.0)

    for it in range(c.iters):
        prompts = torch.randint(3, c.vocab, (c.prompts, c.prompt_len), device=device)
        prompts = prompts.repeat_interleave(c.group, 0)
        policy.eval()
        with torch.no_grad(), torch.autocast(device, dtype=torch.bfloat16):
            ids = policy.generate(input_ids=prompts, attention_mask=torch.ones_like(prompts), do_sample=True,
                                  temperature=1.0, top_k=0, min_new_tokens=c.new_tokens,
                                  max_new_tokens=c.new_tokens, pad_token_id=0)
            r = reward(ids[:, c.prompt_len:])
            old = torch.cat([token_logps(policy, b, c.prompt_len) for b in ids.split(c.minibatch)])
            refp = torch.cat([token_logps(ref, b, c.prompt_len) for b in ids.split(c.minibatch)])
        g = r.view(c.prompts, c.group)
        adv = ((g - g.mean(1, keepdim=True)) / (g.std(1, keepdim=True) + 1e-4)).flatten()

        policy.train()
        for _ in range(c.inner_epochs):
            for idx in torch.randperm(len(ids), device=device).split(c.minibatch):
                with torch.autocast(device, dtype=torch.bfloat16):
                    lp = token_logps(policy, ids[idx], c.prompt_len)
                ratio = (lp - old[idx]).exp()
                a = adv[idx, None]
                pg = -torch.minimum(ratio * a, ratio.clamp(1 - c.clip, 1 + c.clip) * a)
                d = refp[idx] - lp
                loss = (pg + c.kl * (d.exp() - d - 1)).mean()
                opt.zero_grad(set_to_none=True)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
                opt.step()
        print(f"iter {it} reward {r.mean().item():.3f} loss {loss.item():.5f}")
    print("peak MiB:", torch.cuda.max_memory_allocated() // 2**20)


if __name__ == "__main__":
    main()
