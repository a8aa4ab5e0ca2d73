"""Headline generation with a T5-v1.1-ish encoder-decoder, weights in bf16, Adafactor with relative steps."""
import argparse
import random

import torch
from transformers import Adafactor, DataCollatorForSeq2Seq, T5Config, T5ForConditionalGeneration


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--vocab", type=int, default=32128)
    ap.add_argument("--d-model", type=int, default=512)
    ap.add_argument("--layers", type=int, default=8)
    ap.add_argument("--max-src", type=int, default=512)
    ap.add_argument("--max-tgt", type=int, default=64)
    ap.add_argument("--bs", type=int, default=12)
    ap.add_argument("--steps", type=int, default=5)
    ap.add_argument("--seed", type=int, default=13)
    return ap.parse_args()


def articles(n, a):
    r = random.Random(a.seed)
    for _ in range(n):
        ls, lt = r.randint(a.max_src // 4, a.max_src), r.randint(8, a.max_tgt)
        yield {"src": [r.randrange(2, a.vocab) for _ in range(ls)],
               "tgt": [r.randrange(2, a.vocab) for _ in range(lt - 1)] + [1]}


def pad(seqs, value, multiple=8):
    m = max(map(len, seqs))
    m = (m + multiple - 1) // multiple * multiple
    return torch.tensor([s + [value] * (m - len(s)) for s in seqs])


def main():
    a = parse()
    torch.manual_seed(a.seed)
    dev = "cuda"
    cfg = T5Config(vocab_size=a.vocab, d_model=a.d_model, d_kv=64, d_ff=1024, num_layers=a.layers,
                   num_heads=6, feed_forward_proj="gated-gelu", tie_word_embeddings=False,
                   decoder_start_token_id=0, dropout_rate=0.1)
    model = T5ForConditionalGeneration(cfg).to(dev, dtype=torch.bfloat16)
    opt = Adafactor(model.parameters(), scale_parameter=True, relative_step=True, warmup_init=True, lr=None)
    data = list(articles(a.bs * a.steps, a))
    # bucket by source length so that padding is small
    data.sort(key=lambda d: len(d["src"]))
    batches = [data[i:i + a.bs] for i in range(0, len(data), a.bs)]
    random.Random(a.seed).shuffle(batches)

    model.train()
    for i, b in enumerate(batches):
        src = pad([d["src"] for d in b], 0).to(dev)
        tgt = pad([d["tgt"] for d in b], -100).to(dev)
        out = model(input_ids=src, attention_mask=(src != 0).long(), labels=tgt)
        out.loss.backward()
        opt.step()
        opt.zero_grad()
        print(f"step {i} src {tuple(src.shape)} tgt {tuple(tgt.shape)} loss {out.loss.item():.3f}")
        del out

    model.eval()
    with torch.no_grad():
        gen = model.generate(input_ids=src[:6], attention_mask=(src[:6] != 0).long(), max_new_tokens=20,
                             do_sample=False, num_beams=1)
    print("sample", gen[0, :10].tolist())
    print(f"max mem {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
