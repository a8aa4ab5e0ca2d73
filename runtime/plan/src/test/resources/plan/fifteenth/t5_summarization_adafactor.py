# seq2seq summarisation toy: T5 + Adafactor, beam search at validation
import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset
from transformers import T5Config, T5ForConditionalGeneration
from transformers.optimization import Adafactor

SEED = 11
SRC_LEN = 400
TGT_LEN = 64
BATCH = 8
D_MODEL = 512
LAYERS = 6
VOCAB = 32128
PAD, EOS = 0, 1


class Articles(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.rows = []
        for _ in range(n):
            ls = int(torch.randint(SRC_LEN // 2, SRC_LEN, (1,), generator=g))
            lt = int(torch.randint(TGT_LEN // 4, TGT_LEN, (1,), generator=g))
            src = torch.randint(10, VOCAB, (ls,), generator=g)
            tgt = src[torch.linspace(0, ls - 1, lt).long()]
            eos = torch.tensor([EOS])
            self.rows.append((torch.cat([src, eos]), torch.cat([tgt, eos])))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


def collate(rows):
    src = pad_sequence([r[0] for r in rows], batch_first=True, padding_value=PAD)
    tgt = pad_sequence([r[1] for r in rows], batch_first=True, padding_value=-100)
    return {"input_ids": src, "attention_mask": (src != PAD).long(), "labels": tgt}


def to_device(batch):
    return {k: v.to("cuda", non_blocking=True) for k, v in batch.items()}


def overlap(pred, ref):
    pred, ref = set(pred) - {PAD, EOS}, set(ref) - {PAD, EOS, -100}
    return len(pred & ref) / max(len(ref), 1)


def main():
    torch.manual_seed(SEED)
    config = T5Config(vocab_size=VOCAB, d_model=D_MODEL, d_kv=64, d_ff=2048, num_layers=LAYERS, num_heads=8,
                      decoder_start_token_id=PAD, pad_token_id=PAD, eos_token_id=EOS)
    model = T5ForConditionalGeneration(config).to("cuda")
    optimizer = Adafactor(model.parameters(), scale_parameter=True, relative_step=True, warmup_init=True, lr=None)
    train = DataLoader(Articles(5 * BATCH, 0), batch_size=BATCH, shuffle=True, collate_fn=collate)
    valid = DataLoader(Articles(4, 1), batch_size=4, collate_fn=collate)

    model.train()
    for step, batch in enumerate(train):
        batch = to_device(batch)
        out = model(**batch)
        out.loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        n_tok = int((batch["labels"] != -100).sum())
        print(f"step {step} src {tuple(batch['input_ids'].shape)} tokens {n_tok} loss {out.loss.item():.3f}")

    print(f"train peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")
    torch.cuda.reset_peak_memory_stats()
    model.eval()
    scores = []
    for batch in valid:
        batch = to_device(batch)
        gen = model.generate(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"], num_beams=4,
                             max_new_tokens=24, early_stopping=True, length_penalty=0.8)
        scores += [overlap(p, r) for p, r in zip(gen.tolist(), batch["labels"].tolist())]
    print(f"overlap {sum(scores) / len(scores):.4f}; generation peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
