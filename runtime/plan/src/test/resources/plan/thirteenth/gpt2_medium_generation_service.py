"""Offline text generation worker: requests of different lengths grouped into left-padded batches.

Loads the model in half precision and keeps a key/value cache. Sampling is done by hand so that
finished sequences can be tracked, with top-k/top-p filters.
"""
import time
from dataclasses import dataclass, field

import torch
from transformers import GPT2Config, GPT2LMHeadModel
from transformers.cache_utils import DynamicCache


@dataclass
class Request:
    prompt: list
    max_new_tokens: int
    output: list = field(default_factory=list)


@dataclass
class ServeConfig:
    n_requests: int = 48
    batch: int = 16
    min_prompt: int = 100
    max_prompt: int = 600
    new_tokens: int = 40
    top_k: int = 50
    top_p: float = 0.95
    temperature: float = 0.9
    eos: int = 50256
    seed: int = 321


def make_requests(c):
    g = torch.Generator().manual_seed(c.seed)
    reqs = []
    for _ in range(c.n_requests):
        n = int(torch.randint(c.min_prompt, c.max_prompt, (1,), generator=g))
        reqs.append(Request(torch.randint(0, 50000, (n,), generator=g).tolist(), c.new_tokens))
    return sorted(reqs, key=lambda r: len(r.prompt))


def left_pad(reqs, pad, device):
    n = max(len(r.prompt) for r in reqs)
    ids = torch.full((len(reqs), n), pad)
    mask = torch.zeros(len(reqs), n, dtype=torch.long)
    for i, r in enumerate(reqs):
        ids[i, n - len(r.prompt):] = torch.tensor(r.prompt)
        mask[i, n - len(r.prompt):] = 1
    return ids.to(device), mask.to(device)


def sample(logits, c):
    logits = logits.float().nan_to_num_(0.0) / c.temperature
    kth = logits.topk(c.top_k, dim=-1).values[:, -1:]
    logits = logits.masked_fill(logits < kth, float("-inf"))
    srt, idx = logits.sort(descending=True)
    cum = srt.softmax(-1).cumsum(-1)
    remove = cum - srt.softmax(-1) > c.top_p
    srt = srt.masked_fill(remove, float("-inf"))
    pick = torch.multinomial(srt.softmax(-1), 1)
    return idx.gather(1, pick)


@torch.inference_mode()
def run_batch(model, reqs, c, device):
    ids, mask = left_pad(reqs, c.eos, device)
    cache = DynamicCache(config=model.config)
    pos = (mask.cumsum(-1) - 1).clamp(min=0)
    alive = torch.ones(len(reqs), 1, dtype=torch.bool, device=device)
    token = ids
    for _ in range(c.new_tokens):
        out = model(input_ids=token, attention_mask=mask, position_ids=pos,
                    past_key_values=cache, use_cache=True, logits_to_keep=1)
        token = sample(out.logits[:, -1], c)
        alive &= token != c.eos
        for r, t, a in zip(reqs, token.flatten().tolist(), alive.flatten().tolist()):
            if a:
                r.output.append(t)
        mask = torch.cat([mask, torch.ones_like(token)], dim=1)
        pos = pos[:, -1:] + 1
    return cache.get_seq_length()


def main():
    c = ServeConfig()
    torch.manual_seed(c.seed)
    device = torch.device("cuda")
    cfg = GPT2Config(n_embd=1024, n_layer=24, n_head=16, n_positions=1024)
    model = GPT2LMHeadModel(cfg).half().eval().to(device)
    print(f"weights {torch.cuda.memory_allocated() / 2**20:.0f} MiB")
    reqs = make_requests(c)
    t0 = time.time()
    for i in range(0, len(reqs), c.batch):
        group = reqs[i : i + c.batch]
        n = run_batch(model, group, c, device)
        print(f"batch {i // c.batch}: cache length {n}, peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
        torch.cuda.empty_cache()
    total = sum(len(r.output) for r in reqs)
    print(f"{total} tokens in {time.time() - t0:.1f}s, first: {reqs[0].output[:8]}")


if __name__ == "__main__":
    main()
