"""nn.Transformer translation model (Attention is All You Need) driven by accelerate."""
import math

import torch
import torch.nn as nn
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

SRC_VOCAB, TGT_VOCAB = 12000, 10000
PAD, BOS, EOS = 1, 2, 3
EMB, HEADS, FFN, LAYERS = 512, 8, 2048, 4
BATCH, ACCUM = 48, 2
N_TRAIN = 48 * 6


class PairData(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.items = []
        for _ in range(n):
            ls = int(torch.randint(20, 64, (1,), generator=g))
            lt = max(8, ls + int(torch.randint(-8, 9, (1,), generator=g)))
            s = torch.randint(4, SRC_VOCAB, (ls,), generator=g)
            t = torch.randint(4, TGT_VOCAB, (lt,), generator=g)
            wrap = lambda v: torch.cat([torch.tensor([BOS]), v, torch.tensor([EOS])])
            self.items.append((wrap(s), wrap(t)))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(batch):
    src, tgt = zip(*batch)
    return pad_sequence(src, True, PAD), pad_sequence(tgt, True, PAD)


class PositionalEncoding(nn.Module):
    def __init__(self, emb, dropout, maxlen=512):
        super().__init__()
        den = torch.exp(-torch.arange(0, emb, 2) * math.log(10000) / emb)
        pos = torch.arange(maxlen)[:, None]
        pe = torch.zeros(maxlen, emb)
        pe[:, 0::2], pe[:, 1::2] = torch.sin(pos * den), torch.cos(pos * den)
        self.register_buffer("pe", pe)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.dropout(x + self.pe[: x.size(1)])


class Seq2Seq(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = nn.Transformer(EMB, HEADS, LAYERS, LAYERS, FFN, 0.1, batch_first=True)
        self.src_tok, self.tgt_tok = nn.Embedding(SRC_VOCAB, EMB), nn.Embedding(TGT_VOCAB, EMB)
        self.pos = PositionalEncoding(EMB, 0.1)
        self.generator = nn.Linear(EMB, TGT_VOCAB)
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.xavier_uniform_(p)

    def forward(self, src, tgt):
        mask = nn.Transformer.generate_square_subsequent_mask(tgt.size(1), device=tgt.device).isinf()
        src_pad, tgt_pad = src == PAD, tgt == PAD
        out = self.transformer(self.pos(self.src_tok(src) * EMB**0.5), self.pos(self.tgt_tok(tgt) * EMB**0.5),
                               tgt_mask=mask, src_key_padding_mask=src_pad, tgt_key_padding_mask=tgt_pad,
                               memory_key_padding_mask=src_pad)
        return self.generator(out)


def main():
    set_seed(5)
    accelerator = Accelerator(gradient_accumulation_steps=ACCUM)
    model = Seq2Seq()
    optimizer = torch.optim.Adam(model.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
    noam = lambda s: EMB**-0.5 * min((s + 1) ** -0.5, (s + 1) * 400**-1.5)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, noam)
    train = DataLoader(PairData(N_TRAIN, 0), BATCH, shuffle=True, collate_fn=collate)
    val = DataLoader(PairData(32, 1), 16, collate_fn=collate)
    model, optimizer, train, val, scheduler = accelerator.prepare(model, optimizer, train, val, scheduler)
    loss_fn = nn.CrossEntropyLoss(ignore_index=PAD, label_smoothing=0.1)

    model.train()
    for step, (src, tgt) in enumerate(train):
        with accelerator.accumulate(model):
            logits = model(src, tgt[:, :-1])
            loss = loss_fn(logits.reshape(-1, TGT_VOCAB), tgt[:, 1:].reshape(-1))
            accelerator.backward(loss)
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
        accelerator.print(f"step {step} src {tuple(src.shape)} tgt {tuple(tgt.shape)} loss {loss.item():.4f}")

    model.eval()
    losses = []
    with torch.no_grad():
        for src, tgt in val:
            logits = model(src, tgt[:, :-1])
            l = loss_fn(logits.reshape(-1, TGT_VOCAB), tgt[:, 1:].reshape(-1))
            losses.append(accelerator.gather_for_metrics(l.repeat(src.size(0))))
    accelerator.print("val loss", torch.cat(losses).mean().item(),
                      "peak MiB", torch.cuda.max_memory_allocated() // 2**20)


if __name__ == "__main__":
    main()
