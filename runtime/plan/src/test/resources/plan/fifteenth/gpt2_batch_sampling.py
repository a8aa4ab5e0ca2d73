"""Throughput of batched text generation with a GPT-2 sized model in half precision."""
import time

import torch
from transformers import DynamicCache, GPT2Config, GPT2LMHeadModel

BATCH = 32
PROMPT = 256
NEW_TOKENS = 48
LAYERS = 24
EMBD = 1024
HEADS = 16
TOP_K = 50
TEMPERATURE = 0.9
device = torch.device("cuda")


def top_k_filter(logits, k):
    v, _ = torch.topk(logits, k)
    return logits.masked_fill(logits < v[:, -1:], float("-inf"))


def top_p_filter(logits, p):
    srt, idx = logits.sort(dim=-1, descending=True)
    cum = srt.softmax(-1).cumsum(-1)
    remove = cum - srt.softmax(-1) > p
    srt = srt.masked_fill(remove, float("-inf"))
    return torch.full_like(logits, float("-inf")).scatter(-1, idx, srt)


@torch.inference_mode()
def sample(model, input_ids, attention_mask, max_new_tokens):
    cache = DynamicCache(config=model.config)
    position_ids = (attention_mask.cumsum(-1) - 1).clamp_min(0)
    tokens = input_ids
    cur = input_ids
    for _ in range(max_new_tokens):
        out = model(input_ids=cur, attention_mask=attention_mask, position_ids=position_ids, past_key_values=cache,
                    use_cache=True, logits_to_keep=1)
        logits = out.logits[:, -1].float() / TEMPERATURE
        logits = top_p_filter(top_k_filter(logits, TOP_K), 0.95)
        cur = torch.multinomial(logits.softmax(-1), 1)
        tokens = torch.cat([tokens, cur], dim=1)
        attention_mask = torch.cat([attention_mask, attention_mask.new_ones(len(cur), 1)], dim=1)
        position_ids = position_ids[:, -1:] + 1
    return tokens, cache


def left_padded_prompts(gen):
    lens = torch.randint(PROMPT // 4, PROMPT + 1, (BATCH,), generator=gen)
    ids = torch.randint(0, 50257, (BATCH, PROMPT), generator=gen)
    mask = (torch.arange(PROMPT)[None] >= (PROMPT - lens)[:, None]).long()
    return ids.to(device), mask.to(device)


def main():
    torch.manual_seed(0)
    config = GPT2Config(n_layer=LAYERS, n_embd=EMBD, n_head=HEADS, resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0)
    model = GPT2LMHeadModel(config).to(device).half().eval()
    print(f"{model.num_parameters() / 1e6:.0f}M parameters, {torch.cuda.memory_allocated() / 1e6:.0f} MB")
    gen = torch.Generator().manual_seed(1)
    for round_ in range(2):
        ids, mask = left_padded_prompts(gen)
        torch.cuda.synchronize()
        t0 = time.perf_counter()
        tokens, cache = sample(model, ids, mask, NEW_TOKENS)
        torch.cuda.synchronize()
        dt = time.perf_counter() - t0
        print(f"round {round_}: {tuple(tokens.shape)} cache {cache.get_seq_length()} {BATCH * NEW_TOKENS / dt:.0f} tok/s")
        del cache, tokens
    print(f"peak {torch.cuda.max_memory_allocated() / 1e9:.2f} GB, reserved {torch.cuda.memory_reserved() / 1e9:.2f} GB")


if __name__ == "__main__":
    main()
