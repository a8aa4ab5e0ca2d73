"""T5 encoder-decoder on (fake) summarization pairs with Adafactor, bf16 autocast, beam search at the end of each epoch."""
import random
import tempfile

import torch
from torch.utils.data import DataLoader, Dataset
from transformers import T5Config, T5ForConditionalGeneration
from transformers.optimization import Adafactor

VOCAB = 32128
D_MODEL = 512
LAYERS = 6
SRC_MAX = 512
TGT_MAX = 96
BATCH = 8
N_TRAIN = 24
N_VAL = 8
EPOCHS = 2
DEV = "cuda"


class PairSet(Dataset):
    def __init__(self, n, seed):
        r = random.Random(seed)
        self.data = []
        for _ in range(n):
            src = [r.randrange(2, VOCAB - 200) for _ in range(r.randint(SRC_MAX // 4, SRC_MAX - 1))] + [1]
            tgt = src[: r.randint(10, TGT_MAX - 1)] + [1]
            self.data.append((src, tgt))

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return self.data[i]


def pad(rows, value):
    m = max(map(len, rows))
    m = (m + 7) // 8 * 8
    return torch.tensor([r + [value] * (m - len(r)) for r in rows])


def collate(batch):
    src, tgt = zip(*batch)
    ids = pad(list(src), 0)
    return dict(input_ids=ids, attention_mask=(ids != 0).long(), labels=pad(list(tgt), -100))


def overlap_f1(pred, ref):
    p, r = set(pred) - {0, 1}, set(ref) - {0, 1}
    if not p or not r:
        return 0.0
    hit = len(p & r)
    return 2 * hit / (len(p) + len(r))


def validate(model, loader):
    model.eval()
    scores, losses = [], []
    with torch.no_grad():
        for b in loader:
            b = {k: v.to(DEV) for k, v in b.items()}
            losses.append(model(**b).loss.item())
            gen = model.generate(input_ids=b["input_ids"], attention_mask=b["attention_mask"], num_beams=3,
                                 max_new_tokens=20, early_stopping=True)
            for g, l in zip(gen.tolist(), b["labels"].tolist()):
                scores.append(overlap_f1(g, [t for t in l if t >= 0]))
    return sum(losses) / len(losses), sum(scores) / len(scores)


def main():
    torch.manual_seed(17)
    cfg = T5Config(vocab_size=VOCAB, d_model=D_MODEL, d_kv=64, d_ff=D_MODEL * 4, num_layers=LAYERS,
                   num_heads=D_MODEL // 64, dropout_rate=0.1, decoder_start_token_id=0)
    model = T5ForConditionalGeneration(cfg).to(DEV)
    opt = Adafactor(model.parameters(), lr=1e-3, scale_parameter=False, relative_step=False, warmup_init=False,
                    clip_threshold=1.0)
    train = DataLoader(PairSet(N_TRAIN, 1), batch_size=BATCH, shuffle=True, collate_fn=collate)
    val = DataLoader(PairSet(N_VAL, 2), batch_size=BATCH, collate_fn=collate)
    best = float("inf")
    with tempfile.TemporaryDirectory() as out_dir:
        for ep in range(EPOCHS):
            model.train()
            for b in train:
                b = {k: v.to(DEV) for k, v in b.items()}
                with torch.autocast(DEV, dtype=torch.bfloat16):
                    loss = model(**b).loss
                loss.backward()
                opt.step()
                opt.zero_grad()
                print(f"  src {tuple(b['input_ids'].shape)} tgt {tuple(b['labels'].shape)} loss {loss.item():.3f}")
            vloss, f1 = validate(model, val)
            if vloss < best:
                best = vloss
                torch.save(model.state_dict(), f"{out_dir}/best.bin")
            print(f"epoch {ep}: val loss {vloss:.3f} f1 {f1:.3f} peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
