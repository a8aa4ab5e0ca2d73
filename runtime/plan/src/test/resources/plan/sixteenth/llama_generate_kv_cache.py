"""Batched text generation with a random Llama in bf16: prefill, decode with cache, then beam search."""
import time

import torch
from transformers import DynamicCache, LlamaConfig, LlamaForCausalLM

CFG = dict(vocab_size=32000, hidden_size=1024, intermediate_size=2816, num_hidden_layers=12,
           num_attention_heads=16, num_key_value_heads=8, max_position_embeddings=2048)
BATCH = 16
PROMPT = 320
NEW_TOKENS = 40
TEMPERATURE = 0.8
TOP_P = 0.95
PAD = 0
device = "cuda"


def build():
    torch.manual_seed(2024)
    config = LlamaConfig(**CFG, pad_token_id=PAD, bos_token_id=1, eos_token_id=2, attn_implementation="sdpa")
    model = LlamaForCausalLM(config).to(device=device, dtype=torch.bfloat16)
    return model.eval()


def left_padded_prompts(lengths):
    g = torch.Generator().manual_seed(0)
    n = max(lengths)
    ids = torch.full((len(lengths), n), PAD)
    for i, l in enumerate(lengths):
        ids[i, n - l:] = torch.randint(3, CFG["vocab_size"], (l,), generator=g)
    return ids.to(device), (ids != PAD).long().to(device)


def nucleus(logits, top_p, temperature):
    probs = torch.softmax(logits.float() / temperature, dim=-1)
    sp, si = probs.sort(dim=-1, descending=True)
    cum = sp.cumsum(-1)
    sp = sp.masked_fill(cum - sp > top_p, 0.0)
    choice = torch.multinomial(sp / sp.sum(-1, keepdim=True), 1)
    return si.gather(-1, choice)


@torch.inference_mode()
def decode(model, ids, mask):
    cache = DynamicCache(config=model.config)
    pos = (mask.cumsum(-1) - 1).clamp(min=0)
    out = model(input_ids=ids, attention_mask=mask, position_ids=pos, past_key_values=cache,
                use_cache=True, logits_to_keep=1)
    next_pos = pos[:, -1:] + 1
    tokens = []
    for _ in range(NEW_TOKENS):
        tok = nucleus(out.logits[:, -1], TOP_P, TEMPERATURE)
        tokens.append(tok)
        mask = torch.cat([mask, mask.new_ones(mask.size(0), 1)], dim=1)
        out = model(input_ids=tok, attention_mask=mask, position_ids=next_pos, past_key_values=cache, use_cache=True)
        next_pos = next_pos + 1
    return torch.cat(tokens, 1), cache.get_seq_length()


@torch.inference_mode()
def score(model, ids, mask):
    """Perplexity of the prompts, full logits."""
    logits = model(input_ids=ids, attention_mask=mask).logits[:, :-1].float()
    logp = torch.log_softmax(logits, -1).gather(-1, ids[:, 1:, None]).squeeze(-1)
    m = mask[:, 1:].float()
    return torch.exp(-(logp * m).sum() / m.sum()).item()


def mem(tag):
    print(f"{tag:>10}: alloc {torch.cuda.memory_allocated() / 2**20:.0f} MiB "
          f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


def main():
    model = build()
    print("params %.1fM" % (sum(p.numel() for p in model.parameters()) / 1e6))
    mem("loaded")
    g = torch.Generator().manual_seed(9)
    lengths = torch.randint(PROMPT // 3, PROMPT + 1, (BATCH,), generator=g).tolist()
    ids, mask = left_padded_prompts(lengths)
    t0 = time.time()
    new, cached = decode(model, ids, mask)
    torch.cuda.synchronize()
    print(f"sampled {tuple(new.shape)} cache {cached} in {time.time() - t0:.2f}s")
    mem("sample")
    with torch.inference_mode():
        beams = model.generate(input_ids=ids[:4], attention_mask=mask[:4], num_beams=4, do_sample=False,
                               max_new_tokens=16, length_penalty=1.0, early_stopping=True)
    print("beam output", tuple(beams.shape))
    mem("beam")
    print("ppl %.1f" % score(model, ids[:8], mask[:8]))
    mem("score")


if __name__ == "__main__":
    main()
