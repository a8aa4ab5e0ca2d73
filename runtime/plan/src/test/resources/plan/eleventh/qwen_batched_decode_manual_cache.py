"""Inference only: prefill and decode with a KV cache by hand (chunked prefill, top-p sampling), fp16 weights."""
import argparse
import time

import torch
from transformers import DynamicCache, Qwen2Config, Qwen2ForCausalLM


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--layers", type=int, default=14)
    p.add_argument("--hidden", type=int, default=896)
    p.add_argument("--vocab", type=int, default=48000)
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--prompt", type=int, default=1024)
    p.add_argument("--chunk", type=int, default=256)
    p.add_argument("--new", type=int, default=48)
    p.add_argument("--top-p", type=float, default=0.9)
    p.add_argument("--temperature", type=float, default=0.8)
    return p.parse_args()


def sample(logits, temperature, top_p):
    probs = (logits.float() / temperature).softmax(-1)
    sp, si = probs.sort(dim=-1, descending=True)
    cum = sp.cumsum(-1)
    sp = sp.masked_fill(cum - sp > top_p, 0.0)
    pick = torch.multinomial(sp / sp.sum(-1, keepdim=True), 1)
    return si.gather(-1, pick)


@torch.inference_mode()
def run(model, prompt, args):
    cache = DynamicCache(config=model.config)
    start = torch.cuda.Event(enable_timing=True)
    mid = torch.cuda.Event(enable_timing=True)
    end = torch.cuda.Event(enable_timing=True)
    start.record()
    for piece in prompt.split(args.chunk, dim=1):
        out = model(input_ids=piece, past_key_values=cache, use_cache=True, logits_to_keep=1)
    mid.record()
    tok = sample(out.logits[:, -1], args.temperature, args.top_p)
    done = torch.zeros(prompt.size(0), 1, dtype=torch.bool, device=prompt.device)
    pieces = [tok]
    for _ in range(args.new - 1):
        out = model(input_ids=tok, past_key_values=cache, use_cache=True)
        tok = sample(out.logits[:, -1], args.temperature, args.top_p)
        tok = torch.where(done, torch.zeros_like(tok), tok)
        done |= tok == 2
        pieces.append(tok)
    end.record()
    torch.cuda.synchronize()
    return torch.cat(pieces, 1), cache.get_seq_length(), start.elapsed_time(mid), mid.elapsed_time(end)


def main():
    args = parse()
    torch.manual_seed(0)
    cfg = Qwen2Config(
        vocab_size=args.vocab, hidden_size=args.hidden, intermediate_size=args.hidden * 4,
        num_hidden_layers=args.layers, num_attention_heads=14, num_key_value_heads=2,
        max_position_embeddings=4096, tie_word_embeddings=True,
    )
    t = time.time()
    model = Qwen2ForCausalLM(cfg).half().eval().to("cuda")
    print(f"model {sum(p.numel() for p in model.parameters()) / 1e6:.0f}M in {time.time() - t:.1f}s, "
          f"weights {torch.cuda.memory_allocated() / 2**20:.0f} MiB")
    for trial, b in enumerate((args.batch // 2, args.batch)):
        torch.cuda.reset_peak_memory_stats()
        prompt = torch.randint(3, args.vocab, (b, args.prompt), device="cuda")
        seq, cached, pre, dec = run(model, prompt, args)
        print(f"batch {b}: out {tuple(seq.shape)} cached {cached} prefill {pre:.0f}ms decode {dec:.0f}ms "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
