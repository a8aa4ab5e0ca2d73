"""T5 on a toy span-corruption task, torch.optim.Adafactor, fp32 with TF32 matmuls, eval by greedy generation."""
import torch
from torch.utils.data import DataLoader, IterableDataset
from transformers import T5Config, T5ForConditionalGeneration

torch.manual_seed(99)
torch.backends.cuda.matmul.allow_tf32 = True

SRC_LEN, TGT_LEN = 384, 96
VOCAB, SENTINEL0 = 20100, 20000
BATCH, STEPS = 12, 5


class SpanCorruption(IterableDataset):
    def __init__(self, seed):
        self.seed = seed

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        while True:
            n = int(torch.randint(SRC_LEN // 2, SRC_LEN, (1,), generator=g))
            toks = torch.randint(2, SENTINEL0, (n,), generator=g)
            src, tgt, pos, sid = [], [], 0, 0
            while pos < n:
                keep = int(torch.randint(8, 24, (1,), generator=g))
                drop = int(torch.randint(1, 6, (1,), generator=g))
                src += toks[pos:pos + keep].tolist()
                pos += keep
                if pos < n and sid < 99:
                    src.append(SENTINEL0 + sid)
                    tgt.append(SENTINEL0 + sid)
                    tgt += toks[pos:pos + drop].tolist()
                    pos += drop
                    sid += 1
            yield src[:SRC_LEN - 1] + [1], tgt[:TGT_LEN - 1] + [1]


def collate(batch):
    def pad(seqs, value):
        width = max(map(len, seqs))
        return torch.tensor([s + [value] * (width - len(s)) for s in seqs])

    src, tgt = zip(*batch)
    ids = pad(src, 0)
    return {"input_ids": ids, "attention_mask": (ids != 0).long(), "labels": pad(tgt, -100)}


def build():
    cfg = T5Config(vocab_size=VOCAB, d_model=512, d_kv=64, d_ff=1024, num_layers=6, num_decoder_layers=6,
                   num_heads=8, feed_forward_proj="gated-gelu", dropout_rate=0.1, decoder_start_token_id=0,
                   tie_word_embeddings=False)
    return T5ForConditionalGeneration(cfg)


def main():
    device = "cuda"
    model = build().to(device)
    opt = torch.optim.Adafactor(model.parameters(), lr=1e-2, beta2_decay=-0.8, d=1.0, weight_decay=0.0)
    loader = iter(DataLoader(SpanCorruption(1), batch_size=BATCH, collate_fn=collate))

    model.train()
    for step in range(STEPS):
        batch = {k: v.to(device) for k, v in next(loader).items()}
        out = model(**batch)
        loss = out.loss + 1e-4 * torch.logsumexp(out.logits, -1).pow(2).mean()
        loss.backward()
        opt.step()
        opt.zero_grad()
        print(f"step {step} loss {loss.item():.3f} src {tuple(batch['input_ids'].shape)} tgt {tuple(batch['labels'].shape)}")
    n_state = sum(t.numel() for s in opt.state.values() for t in s.values() if torch.is_tensor(t))
    print(f"optimizer state elements {n_state} vs parameters {sum(p.numel() for p in model.parameters())}")

    model.eval()
    batch = {k: v.to(device) for k, v in next(loader).items()}
    with torch.inference_mode():
        gen = model.generate(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"],
                             max_new_tokens=24, do_sample=False)
    print("generated", tuple(gen.shape), "peak MiB", torch.cuda.max_memory_allocated() // 2**20)


if __name__ == "__main__":
    main()
