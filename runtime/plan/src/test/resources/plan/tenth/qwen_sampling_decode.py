"""Batch inference with a randomly initialised Qwen2: manual prefill/decode loop with the KV cache,
then the same through model.generate (greedy and beam)."""
import time

import torch
from transformers import AutoModelForCausalLM, DynamicCache, Qwen2Config

DEV = "cuda"
DTYPE = torch.bfloat16

cfg = Qwen2Config(
    vocab_size=100000,
    hidden_size=1024,
    intermediate_size=2816,
    num_hidden_layers=16,
    num_attention_heads=16,
    num_key_value_heads=8,
    max_position_embeddings=4096,
    tie_word_embeddings=True,
    bos_token_id=1,
    eos_token_id=2,
    pad_token_id=0,
)


def load():
    torch.manual_seed(0)
    torch.set_default_device(DEV)
    m = AutoModelForCausalLM.from_config(cfg, dtype=DTYPE)
    torch.set_default_device("cpu")
    return m.to(DEV).eval()


def left_padded_prompts(n, longest):
    ids = torch.randint(10, cfg.vocab_size, (n, longest))
    mask = torch.ones_like(ids)
    for i in range(n):
        cut = (i * 37) % (longest // 2)
        ids[i, :cut] = cfg.pad_token_id
        mask[i, :cut] = 0
    return ids.to(DEV), mask.to(DEV)


def top_p_sample(logits, temperature=0.8, top_p=0.95):
    probs = torch.softmax(logits.float() / temperature, dim=-1)
    sp, si = probs.sort(dim=-1, descending=True)
    cum = sp.cumsum(-1)
    sp[cum - sp > top_p] = 0.0
    sp /= sp.sum(-1, keepdim=True)
    pick = torch.multinomial(sp, 1)
    return si.gather(-1, pick)


@torch.inference_mode()
def decode(model, ids, mask, new_tokens):
    cache = DynamicCache(config=model.config)
    pos = (mask.cumsum(-1) - 1).clamp(min=0)
    out = model(input_ids=ids, attention_mask=mask, position_ids=pos, past_key_values=cache,
                use_cache=True, logits_to_keep=1)
    pos = pos[:, -1:]
    generated = []
    for _ in range(new_tokens):
        nxt = top_p_sample(out.logits[:, -1])
        generated.append(nxt)
        mask = torch.cat([mask, mask.new_ones(mask.size(0), 1)], dim=1)
        pos = pos + 1
        out = model(input_ids=nxt, attention_mask=mask, position_ids=pos, past_key_values=cache, use_cache=True)
    return torch.cat(generated, dim=1)


def main():
    model = load()
    ids, mask = left_padded_prompts(32, 768)
    t = time.perf_counter()
    toks = decode(model, ids, mask, 48)
    torch.cuda.synchronize()
    dt = time.perf_counter() - t
    print(f"sampled {tuple(toks.shape)} in {dt:.2f}s, {toks.numel() / dt:.0f} tok/s")

    greedy = model.generate(input_ids=ids[:8], attention_mask=mask[:8], max_new_tokens=32, do_sample=False)
    print("greedy", greedy.shape)
    beams = model.generate(input_ids=ids[:4], attention_mask=mask[:4], max_new_tokens=32, num_beams=5,
                           num_return_sequences=2, do_sample=False)
    print("beams", beams.shape)


if __name__ == "__main__":
    main()
