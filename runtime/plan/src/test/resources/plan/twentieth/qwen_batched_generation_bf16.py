"""Offline batched generation with a GQA decoder in bf16: left padding, sampling, throughput report.
Second part: manual prefill + decode loop with past_key_values (for streaming)."""
import time

import torch
from transformers import Qwen2Config, Qwen2ForCausalLM

HIDDEN, LAYERS, HEADS, KV_HEADS, FFN, VOCAB = 1536, 12, 12, 2, 6144, 65536
N_PROMPTS, MAX_BATCH = 48, 24
MIN_LEN, MAX_LEN, NEW = 100, 700, 24
PAD = 0


def load_model():
    torch.manual_seed(99)
    cfg = Qwen2Config(
        vocab_size=VOCAB, hidden_size=HIDDEN, intermediate_size=FFN, num_hidden_layers=LAYERS,
        num_attention_heads=HEADS, num_key_value_heads=KV_HEADS, max_position_embeddings=4096,
        tie_word_embeddings=True, pad_token_id=PAD, bos_token_id=1, eos_token_id=2)
    old = torch.get_default_dtype()
    torch.set_default_dtype(torch.bfloat16)
    try:
        with torch.device("cuda"):
            model = Qwen2ForCausalLM(cfg)
    finally:
        torch.set_default_dtype(old)
    return model.eval()


def prompts():
    g = torch.Generator().manual_seed(5)
    lens = torch.randint(MIN_LEN, MAX_LEN, (N_PROMPTS,), generator=g).tolist()
    return [torch.randint(10, VOCAB, (n,), generator=g) for n in lens]


def left_pad(seqs):
    m = max(len(s) for s in seqs)
    ids = torch.full((len(seqs), m), PAD)
    mask = torch.zeros(len(seqs), m, dtype=torch.long)
    for i, s in enumerate(seqs):
        ids[i, m - len(s):] = s
        mask[i, m - len(s):] = 1
    return ids.to("cuda"), mask.to("cuda")


@torch.inference_mode()
def offline(model, reqs):
    # longest first so that an out-of-memory error comes at the beginning
    reqs = sorted(reqs, key=len, reverse=True)
    produced, t0 = 0, time.perf_counter()
    for i in range(0, len(reqs), MAX_BATCH):
        ids, mask = left_pad(reqs[i:i + MAX_BATCH])
        out = model.generate(input_ids=ids, attention_mask=mask, do_sample=True, temperature=0.8, top_p=0.95,
                             max_new_tokens=NEW, min_new_tokens=NEW)
        produced += out.numel() - ids.numel()
        print(f"batch {i // MAX_BATCH}: prompt {tuple(ids.shape)} -> {tuple(out.shape)}, "
              f"allocated {torch.cuda.memory_allocated() / 2**20:.0f} MiB")
    torch.cuda.synchronize()
    print(f"{produced / (time.perf_counter() - t0):.0f} tokens/s")


@torch.inference_mode()
def stream(model, prompt, n):
    ids = prompt[None].to("cuda")
    past, pieces = None, []
    for _ in range(n):
        out = model(input_ids=ids, past_key_values=past, use_cache=True, logits_to_keep=1)
        past = out.past_key_values
        ids = out.logits[:, -1].argmax(-1, keepdim=True)
        pieces.append(ids)
    return torch.cat(pieces, 1)


if __name__ == "__main__":
    model = load_model()
    weights = sum(p.numel() * p.element_size() for p in model.parameters())
    print(f"weights {weights / 2**30:.2f} GiB")
    reqs = prompts()
    offline(model, reqs)
    toks = stream(model, reqs[0], NEW)
    print("streamed", toks.shape[1], "tokens; first:", toks[0, :6].tolist())
    print(f"max allocated {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB, "
          f"max reserved {torch.cuda.max_memory_reserved() / 2**30:.2f} GiB")
