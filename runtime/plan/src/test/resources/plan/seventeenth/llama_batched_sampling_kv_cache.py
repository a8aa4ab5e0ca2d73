# How much memory does generation with a KV cache need?  A 0.5B-ish llama in bf16, prompts left padded.
import gc
import time

import torch
from transformers import LlamaConfig, LlamaForCausalLM

DEVICE = "cuda"
HIDDEN = 1024
LAYERS = 16
VOCAB = 32000
BATCH = 16
PROMPT = 384
NEW = 48

torch.manual_seed(5)


def build():
    cfg = LlamaConfig(
        vocab_size=VOCAB,
        hidden_size=HIDDEN,
        intermediate_size=int(HIDDEN * 2.75),
        num_hidden_layers=LAYERS,
        num_attention_heads=HIDDEN // 64,
        num_key_value_heads=max(1, HIDDEN // 256),
        max_position_embeddings=2048,
        tie_word_embeddings=True,
        pad_token_id=0, bos_token_id=1, eos_token_id=2,
    )
    model = LlamaForCausalLM(cfg).to(torch.bfloat16).to(DEVICE).eval()
    n = sum(p.numel() for p in model.parameters())
    print(f"{n / 1e6:.0f}M parameters, weights {n * 2 / 2**20:.0f} MiB")
    return model


def make_prompts(batch, longest):
    lens = torch.randint(longest // 4, longest + 1, (batch,))
    lens[0] = longest
    ids = torch.zeros(batch, longest, dtype=torch.long)
    mask = torch.zeros_like(ids)
    for i, l in enumerate(lens.tolist()):
        ids[i, -l:] = torch.randint(3, VOCAB, (l,))
        mask[i, -l:] = 1
    return ids.to(DEVICE), mask.to(DEVICE)


def kv_bytes(model, batch, length):
    c = model.config
    return 2 * c.num_hidden_layers * c.num_key_value_heads * (c.hidden_size // c.num_attention_heads) * batch * length * 2


@torch.inference_mode()
def bench(model, name, batch, prompt, **kw):
    gc.collect()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    ids, mask = make_prompts(batch, prompt)
    torch.cuda.synchronize()
    t0 = time.time()
    out = model.generate(input_ids=ids, attention_mask=mask, max_new_tokens=NEW, min_new_tokens=NEW, **kw)
    torch.cuda.synchronize()
    dt = time.time() - t0
    print(f"{name:>10}: out {tuple(out.shape)} {batch * NEW / dt:.0f} tok/s, kv theory "
          f"{kv_bytes(model, batch, prompt + NEW) / 2**20:.0f} MiB, peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    return out


@torch.inference_mode()
def score(model, seqs):
    """perplexity of what was generated; goes in slices of 4 rows because of the logits"""
    total = 0.0
    for rows in seqs.split(4):
        logits = model(rows[:, :-1]).logits.float()
        lp = logits.log_softmax(-1).gather(-1, rows[:, 1:, None]).squeeze(-1)
        total += -lp[:, -NEW:].sum().item()
    return total / (seqs.shape[0] * NEW)


def main():
    model = build()
    bench(model, "greedy", BATCH, PROMPT, do_sample=False)
    bench(model, "sample", BATCH * 2, PROMPT // 2, do_sample=True, top_k=50, top_p=0.95, temperature=0.8)
    out = bench(model, "beam", BATCH // 4, PROMPT, num_beams=4, do_sample=False)
    print(f"nll per token {score(model, out):.3f}")


if __name__ == "__main__":
    main()
