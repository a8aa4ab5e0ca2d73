"""Serving experiment: left-padded batched sampling with a growing KV cache (Qwen2 architecture).

Manual loop (not .generate) with top-p sampling, repetition penalty and early stop of rows.
"""
import argparse
import time

import torch
from transformers import DynamicCache, Qwen2Config, Qwen2ForCausalLM


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--requests", type=int, default=24)
    ap.add_argument("--max-prompt", type=int, default=700)
    ap.add_argument("--new-tokens", type=int, default=60)
    ap.add_argument("--temperature", type=float, default=0.8)
    ap.add_argument("--top-p", type=float, default=0.9)
    ap.add_argument("--penalty", type=float, default=1.1)
    ap.add_argument("--layers", type=int, default=16)
    ap.add_argument("--hidden", type=int, default=1024)
    ap.add_argument("--vocab", type=int, default=48000)
    return ap.parse_args()


def load_model(a, device):
    cfg = Qwen2Config(
        vocab_size=a.vocab, hidden_size=a.hidden, intermediate_size=int(a.hidden * 2.75), num_hidden_layers=a.layers,
        num_attention_heads=a.hidden // 64, num_key_value_heads=a.hidden // 128, max_position_embeddings=4096,
        tie_word_embeddings=True,
    )
    with torch.device(device):
        torch.set_default_dtype(torch.bfloat16)
        model = Qwen2ForCausalLM(cfg)
        torch.set_default_dtype(torch.float32)
    return model.eval()


def left_pad(prompts, pad):
    width = max(len(p) for p in prompts)
    ids = torch.full((len(prompts), width), pad)
    mask = torch.zeros(len(prompts), width, dtype=torch.long)
    for i, p in enumerate(prompts):
        ids[i, width - len(p):] = p
        mask[i, width - len(p):] = 1
    return ids, mask


def sample_top_p(logits, p, temperature):
    probs = torch.softmax(logits.float() / temperature, dim=-1)
    sorted_probs, order = probs.sort(dim=-1, descending=True)
    cum = sorted_probs.cumsum(-1)
    sorted_probs[cum - sorted_probs > p] = 0.0
    pick = torch.multinomial(sorted_probs / sorted_probs.sum(-1, keepdim=True), 1)
    return order.gather(-1, pick).squeeze(-1)


@torch.inference_mode()
def generate(model, ids, mask, a, eos):
    cache = DynamicCache()
    seen = torch.zeros(ids.size(0), a.vocab, dtype=torch.bool, device=ids.device)
    seen.scatter_(1, ids, True)
    alive = torch.ones(ids.size(0), dtype=torch.bool, device=ids.device)
    pos = (mask.cumsum(-1) - 1).clamp(min=0)
    step_ids, step_pos = ids, pos
    produced = []
    for _ in range(a.new_tokens):
        out = model(input_ids=step_ids, attention_mask=mask, position_ids=step_pos,
                    past_key_values=cache, use_cache=True, logits_to_keep=1)
        logits = out.logits[:, -1]
        logits = torch.where(seen, torch.where(logits > 0, logits / a.penalty, logits * a.penalty), logits)
        nxt = sample_top_p(logits, a.top_p, a.temperature)
        nxt = torch.where(alive, nxt, torch.full_like(nxt, eos))
        alive &= nxt != eos
        seen.scatter_(1, nxt[:, None], True)
        produced.append(nxt)
        mask = torch.cat([mask, torch.ones_like(mask[:, :1])], dim=1)
        step_ids, step_pos = nxt[:, None], step_pos[:, -1:] + 1
        if not alive.any():
            break
    return torch.stack(produced, 1), cache


def main():
    a = parse()
    torch.manual_seed(0)
    device = "cuda"
    model = load_model(a, device)
    weights = torch.cuda.memory_allocated()
    lengths = torch.randint(a.max_prompt // 4, a.max_prompt + 1, (a.requests,)).tolist()
    prompts = [torch.randint(10, a.vocab, (n,)) for n in lengths]
    ids, mask = left_pad(prompts, pad=0)
    t0 = time.perf_counter()
    tokens, cache = generate(model, ids.to(device), mask.to(device), a, eos=1)
    torch.cuda.synchronize()
    dt = time.perf_counter() - t0
    print(f"weights {weights / 2**20:.0f} MiB; cache length {cache.get_seq_length()}")
    print(f"{tokens.numel()} tokens in {dt:.1f}s ({tokens.numel() / dt:.0f} tok/s)")
    print(f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
