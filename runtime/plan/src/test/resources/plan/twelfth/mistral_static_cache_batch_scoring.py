# Offline batch inference: Mistral-shaped decoder in bf16, ragged prompts left-padded, KV cache grown by decode,
# then a second pass that scores the answers (perplexity) and an embedding export from the last hidden state.
import argparse
import json
import random
import tempfile
import time
from pathlib import Path

import torch
from transformers import MistralConfig, MistralForCausalLM
from transformers.cache_utils import DynamicCache, StaticCache


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--max-prompt", type=int, default=768)
    p.add_argument("--new", type=int, default=48)
    p.add_argument("--hidden", type=int, default=1024)
    p.add_argument("--layers", type=int, default=12)
    p.add_argument("--vocab", type=int, default=32000)
    p.add_argument("--rounds", type=int, default=2)
    p.add_argument("--temperature", type=float, default=0.8)
    p.add_argument("--top-p", type=float, default=0.95)
    return p.parse_args()


def nucleus(logits, t, p, gen):
    probs = (logits.float() / t).softmax(-1)
    s, i = probs.sort(-1, descending=True)
    s[s.cumsum(-1) - s > p] = 0
    pick = torch.multinomial(s, 1, generator=gen)
    return i.gather(1, pick)


@torch.inference_mode()
def run(model, prompts, a, gen, static):
    B, P = prompts.shape
    mask = (prompts != 0).long()
    pos = (mask.cumsum(1) - 1).clamp(min=0)
    if static:
        cache = StaticCache(config=model.config, max_cache_len=P + a.new)
        full = torch.zeros(B, P + a.new, dtype=torch.long, device=prompts.device)
        full[:, :P] = mask
    else:
        cache = DynamicCache(config=model.config)
        full = mask
    out = model(input_ids=prompts, attention_mask=full[:, :P] if static else full, position_ids=pos,
                past_key_values=cache, use_cache=True, logits_to_keep=1)
    toks, cur = [], pos[:, -1:] + 1
    for t in range(a.new):
        nxt = nucleus(out.logits[:, -1], a.temperature, a.top_p, gen)
        toks.append(nxt)
        if static:
            full[:, P + t] = 1
            att = full[:, :P + t + 1]
        else:
            full = torch.cat([full, torch.ones_like(nxt)], 1)
            att = full
        out = model(input_ids=nxt, attention_mask=att, position_ids=cur, past_key_values=cache, use_cache=True)
        cur = cur + 1
    return torch.cat(toks, 1)


@torch.inference_mode()
def score(model, prompts, answers):
    ids = torch.cat([prompts, answers], 1)
    mask = (ids != 0).long()
    out = model.model(input_ids=ids, attention_mask=mask, use_cache=False)
    h = out.last_hidden_state
    logits = model.lm_head(h[:, prompts.shape[1] - 1:-1])
    lp = logits.float().log_softmax(-1).gather(2, answers[..., None]).squeeze(-1)
    emb = (h * mask[..., None]).sum(1).float() / mask.sum(1, keepdim=True)
    return (-lp.mean(1)).exp(), emb


def main():
    a = get_args()
    torch.manual_seed(3)
    rng = random.Random(3)
    dev = torch.device("cuda")
    gen = torch.Generator(device=dev).manual_seed(3)
    cfg = MistralConfig(vocab_size=a.vocab, hidden_size=a.hidden, intermediate_size=int(a.hidden * 3.5),
                        num_hidden_layers=a.layers, num_attention_heads=a.hidden // 64, num_key_value_heads=4,
                        sliding_window=None, max_position_embeddings=4096, pad_token_id=0)
    model = MistralForCausalLM(cfg).to(torch.bfloat16).to(dev).eval()
    with tempfile.TemporaryDirectory() as d:
        with open(Path(d) / "scores.jsonl", "w") as f:
            for r in range(a.rounds):
                lens = [rng.randint(a.max_prompt // 8, a.max_prompt) for _ in range(a.batch)]
                m = max(lens)
                rows = [[0] * (m - n) + [rng.randrange(3, a.vocab) for _ in range(n)] for n in lens]
                prompts = torch.tensor(rows, device=dev)
                t0 = time.time()
                ans = run(model, prompts, a, gen, static=bool(r % 2)).clamp(min=1)
                ppl, emb = score(model, prompts, ans)
                for p, e in zip(ppl.tolist(), emb.norm(dim=1).tolist()):
                    f.write(json.dumps({"ppl": p, "norm": e}) + "\n")
                print(f"round {r} prompts {tuple(prompts.shape)} ppl {ppl.median().item():.1f} {time.time() - t0:.1f}s "
                      f"allocated {torch.cuda.memory_allocated() >> 20} MiB")
    print("peak", torch.cuda.max_memory_allocated() >> 20, "MiB")


if __name__ == "__main__":
    main()
