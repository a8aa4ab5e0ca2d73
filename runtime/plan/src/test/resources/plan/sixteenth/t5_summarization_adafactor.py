"""T5-small sized summarisation fine-tuning with Adafactor and greedy generation for the eval."""
import argparse
import os
import tempfile

import torch
from torch.utils.data import DataLoader, Dataset, Sampler
from transformers import Adafactor, T5Config, T5ForConditionalGeneration


class DocSummary(Dataset):
    def __init__(self, n, vocab, seed=0, src=(150, 420), tgt=(20, 90)):
        g = torch.Generator().manual_seed(seed)
        self.src_len = torch.randint(*src, (n,), generator=g).tolist()
        self.tgt_len = torch.randint(*tgt, (n,), generator=g).tolist()
        self.vocab, self.seed = vocab, seed

    def __len__(self):
        return len(self.src_len)

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(self.seed + i)
        src = torch.randint(3, self.vocab, (self.src_len[i],), generator=g)
        tgt = torch.randint(3, self.vocab, (self.tgt_len[i],), generator=g)
        return src, torch.cat([tgt, torch.tensor([1])])


class LengthGroupedSampler(Sampler):
    """Shuffle, cut in mega-batches, sort within each by source length."""

    def __init__(self, lengths, batch_size, mega=4, seed=0):
        self.lengths, self.bs, self.mega = lengths, batch_size, mega
        self.g = torch.Generator().manual_seed(seed)

    def __len__(self):
        return len(self.lengths)

    def __iter__(self):
        idx = torch.randperm(len(self.lengths), generator=self.g).tolist()
        step = self.bs * self.mega
        for i in range(0, len(idx), step):
            yield from sorted(idx[i:i + step], key=lambda j: -self.lengths[j])


def collate(batch):
    src = torch.nn.utils.rnn.pad_sequence([b[0] for b in batch], True, 0)
    labels = torch.nn.utils.rnn.pad_sequence([b[1] for b in batch], True, -100)
    return {"input_ids": src, "attention_mask": (src != 0).long(), "labels": labels}


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--d-model", type=int, default=512)
    ap.add_argument("--layers", type=int, default=6)
    ap.add_argument("--batch-size", type=int, default=8)
    ap.add_argument("--n", type=int, default=48)
    ap.add_argument("--gen-len", type=int, default=24)
    args = ap.parse_args()
    torch.manual_seed(0)
    device = torch.device("cuda")
    config = T5Config(vocab_size=32128, d_model=args.d_model, d_ff=2048, d_kv=64, num_layers=args.layers,
                      num_heads=8, dropout_rate=0.1, decoder_start_token_id=0)
    model = T5ForConditionalGeneration(config).to(device)
    optimizer = Adafactor(model.parameters(), lr=None, scale_parameter=True, relative_step=True, warmup_init=True)
    train = DocSummary(args.n, config.vocab_size)
    loader = DataLoader(train, args.batch_size, sampler=LengthGroupedSampler(train.src_len, args.batch_size),
                        collate_fn=collate)
    model.train()
    for step, batch in enumerate(loader):
        batch = {k: v.to(device) for k, v in batch.items()}
        loss = model(**batch).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        print(f"step {step} src {batch['input_ids'].shape[1]} tgt {batch['labels'].shape[1]} loss {loss.item():.3f} "
              f"alloc {torch.cuda.memory_allocated() / 2**20:.0f} MiB")

    model.eval()
    val = DataLoader(DocSummary(8, config.vocab_size, seed=99), 8, collate_fn=collate)
    with torch.no_grad():
        for batch in val:
            out = model.generate(input_ids=batch["input_ids"].to(device),
                                 attention_mask=batch["attention_mask"].to(device),
                                 max_new_tokens=args.gen_len, num_beams=1, do_sample=False)
            print("generated", tuple(out.shape))
    with tempfile.TemporaryDirectory() as d:
        model.save_pretrained(d)
        print("saved", len(os.listdir(d)), "files; peak MiB", torch.cuda.max_memory_allocated() // 2**20)


if __name__ == "__main__":
    main()
