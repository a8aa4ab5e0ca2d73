"""How much memory do I need to serve a ~600M Llama in bf16 with a batch of left-padded prompts?"""
import gc
import time

import torch
from transformers import GenerationConfig, LlamaConfig, LlamaForCausalLM

HIDDEN, LAYERS, HEADS, KV_HEADS, FFN = 1536, 20, 16, 4, 4096
VOCAB = 32000
BATCH = 16
PROMPT_MAX = 512
NEW_TOKENS = 40
PAD = 0
device = "cuda"
dtype = torch.bfloat16


def build():
    cfg = LlamaConfig(
        vocab_size=VOCAB, hidden_size=HIDDEN, intermediate_size=FFN, num_hidden_layers=LAYERS,
        num_attention_heads=HEADS, num_key_value_heads=KV_HEADS, max_position_embeddings=2048,
        pad_token_id=PAD, bos_token_id=1, eos_token_id=2, tie_word_embeddings=False,
    )
    torch.set_default_dtype(dtype)
    with torch.device(device):
        model = LlamaForCausalLM(cfg)
    torch.set_default_dtype(torch.float32)
    return model.eval()


def prompts(gen):
    lens = torch.randint(PROMPT_MAX // 4, PROMPT_MAX + 1, (BATCH,), generator=gen)
    width = int(lens.max())
    ids = torch.full((BATCH, width), PAD)
    mask = torch.zeros(BATCH, width, dtype=torch.long)
    for i, n in enumerate(lens.tolist()):
        ids[i, width - n :] = torch.randint(3, VOCAB, (n,), generator=gen)
        mask[i, width - n :] = 1
    return ids.to(device), mask.to(device)


def report(tag, t0):
    print(
        f"{tag:<10} {time.time() - t0:5.1f}s  now {torch.cuda.memory_allocated() / 2**20:8.0f} MiB"
        f"  peak {torch.cuda.max_memory_allocated() / 2**20:8.0f} MiB"
    )


def main():
    torch.manual_seed(11)
    gen = torch.Generator().manual_seed(11)
    model = build()
    print(f"{sum(p.numel() for p in model.parameters()) / 1e6:.0f}M parameters")
    ids, mask = prompts(gen)
    t0 = time.time()
    report("loaded", t0)

    modes = {
        "greedy": GenerationConfig(do_sample=False),
        "sample": GenerationConfig(do_sample=True, top_k=50, top_p=0.9, temperature=0.8),
        "beam": GenerationConfig(do_sample=False, num_beams=3),
    }
    for name, gc_ in modes.items():
        gc_.max_new_tokens = NEW_TOKENS if name != "beam" else NEW_TOKENS // 4
        gc_.pad_token_id, gc_.bos_token_id, gc_.eos_token_id = PAD, 1, 2
        n = BATCH if name != "beam" else BATCH // 4
        t = time.time()
        with torch.inference_mode():
            out = model.generate(input_ids=ids[:n], attention_mask=mask[:n], generation_config=gc_)
        fresh = out.shape[1] - ids.shape[1]
        report(name, t)
        print(f"           {fresh} new tokens, first row {out[0, -5:].tolist()}")

    # perplexity of the prompts themselves, in two halves so that the logits fit
    nll, count = 0.0, 0
    with torch.inference_mode():
        for a, m in zip(ids.split(BATCH // 2), mask.split(BATCH // 2)):
            logits = model(input_ids=a, attention_mask=m, use_cache=False).logits[:, :-1].float()
            lp = torch.gather(logits.log_softmax(-1), 2, a[:, 1:, None]).squeeze(-1)
            w = (m[:, 1:] * m[:, :-1]).float()
            nll -= (lp * w).sum().item()
            count += int(w.sum())
    report("scoring", t0)
    print("mean nll", round(nll / count, 4))
    del model, logits, lp
    gc.collect()
    torch.cuda.empty_cache()
    report("freed", t0)


if __name__ == "__main__":
    main()
