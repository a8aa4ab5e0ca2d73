"""Group-relative policy optimisation: sample groups with the KV cache, score with a rule, several inner epochs."""
import argparse
import torch
import torch.nn.functional as F
from transformers import LlamaConfig, LlamaForCausalLM


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--prompts", type=int, default=8)
    p.add_argument("--group", type=int, default=8)
    p.add_argument("--prompt_len", type=int, default=48)
    p.add_argument("--new", type=int, default=64)
    p.add_argument("--hidden", type=int, default=512)
    p.add_argument("--layers", type=int, default=8)
    p.add_argument("--vocab", type=int, default=8000)
    p.add_argument("--inner", type=int, default=2)
    p.add_argument("--rounds", type=int, default=2)
    p.add_argument("--micro", type=int, default=32)
    return p.parse_args([])


def reward(tokens):
    """count even tokens, small bonus for variety"""
    even = (tokens % 2 == 0).float().mean(1)
    uniq = torch.tensor([len(set(r)) for r in tokens.tolist()], device=tokens.device) / tokens.shape[1]
    return even + 0.2 * uniq


def token_logps(model, ids, start):
    logits = model(input_ids=ids, use_cache=False).logits[:, start - 1:-1].float()
    lp = F.log_softmax(logits, -1)
    ent = -(lp.exp() * lp).sum(-1)
    return lp.gather(-1, ids[:, start:, None]).squeeze(-1), ent


def main():
    a = get_args()
    torch.manual_seed(6)
    cfg = LlamaConfig(vocab_size=a.vocab, hidden_size=a.hidden, intermediate_size=a.hidden * 8 // 3, num_hidden_layers=a.layers,
                      num_attention_heads=8, num_key_value_heads=8, max_position_embeddings=512, bos_token_id=1, eos_token_id=2, pad_token_id=0)
    policy = LlamaForCausalLM(cfg).to("cuda", dtype=torch.bfloat16)
    ref = LlamaForCausalLM(cfg).to("cuda", dtype=torch.bfloat16).eval().requires_grad_(False)
    ref.load_state_dict(policy.state_dict())
    opt = torch.optim.AdamW(policy.parameters(), lr=1e-5, weight_decay=0.0, fused=True)
    for rnd in range(a.rounds):
        prompts = torch.randint(3, a.vocab, (a.prompts, a.prompt_len), device="cuda").repeat_interleave(a.group, 0)
        policy.eval()
        with torch.no_grad():
            seqs = policy.generate(prompts, attention_mask=torch.ones_like(prompts), do_sample=True, temperature=1.0, top_k=0,
                                   max_new_tokens=a.new, min_new_tokens=a.new, use_cache=True)
            comp = seqs[:, a.prompt_len:]
            r = reward(comp).view(a.prompts, a.group)
            adv = ((r - r.mean(1, keepdim=True)) / (r.std(1, keepdim=True) + 1e-4)).flatten()
            old = torch.cat([token_logps(policy, s, a.prompt_len)[0] for s in seqs.split(a.micro)])
            rlp = torch.cat([token_logps(ref, s, a.prompt_len)[0] for s in seqs.split(a.micro)])
        torch.cuda.empty_cache()
        policy.train()
        for ep in range(a.inner):
            opt.zero_grad()
            tot = 0.0
            parts = list(zip(seqs.split(a.micro), adv.split(a.micro), old.split(a.micro), rlp.split(a.micro)))
            for s, ad, o, rl in parts:
                lp, ent = token_logps(policy, s, a.prompt_len)
                ratio = (lp - o).exp()
                pg = -torch.min(ratio * ad[:, None], ratio.clamp(0.8, 1.2) * ad[:, None])
                kl = (rl - lp).exp() - (rl - lp) - 1
                loss = (pg + 0.04 * kl - 0.001 * ent).mean() / len(parts)
                loss.backward()
                tot += loss.item()
            torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
            opt.step()
            print(f"round {rnd} epoch {ep} reward {r.mean().item():.3f} loss {tot:.4f} kl {kl.mean().item():.5f} "
                  f"peak {torch.cuda.max_memory_allocated() / 1e9:.2f}GB")


if __name__ == "__main__":
    main()
