import argparse
import tempfile

import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset
from transformers import BertConfig, BertForMaskedLM, get_linear_schedule_with_warmup

PAD, CLS, SEP, MASK = 0, 101, 102, 103


class RandomDocs(Dataset):
    """Documents with lengths between 40 and max_len tokens."""

    def __init__(self, n, vocab, max_len, seed=0):
        g = torch.Generator().manual_seed(seed)
        lens = torch.randint(min(40, max_len // 2), max_len - 1, (n,), generator=g)
        self.docs = [torch.randint(1000, vocab, (int(l),), generator=g) for l in lens]

    def __len__(self):
        return len(self.docs)

    def __getitem__(self, i):
        return torch.cat([torch.tensor([CLS]), self.docs[i], torch.tensor([SEP])])


class MLMCollator:
    def __init__(self, vocab, p=0.15):
        self.vocab, self.p = vocab, p
        self.gen = torch.Generator().manual_seed(99)

    def __call__(self, seqs):
        ids = pad_sequence(seqs, batch_first=True, padding_value=PAD)
        attn = (ids != PAD).long()
        labels = ids.clone()
        special = (ids == PAD) | (ids == CLS) | (ids == SEP)
        chosen = (torch.rand(ids.shape, generator=self.gen) < self.p) & ~special
        labels[~chosen] = -100
        r = torch.rand(ids.shape, generator=self.gen)
        ids[chosen & (r < 0.8)] = MASK
        rnd = chosen & (r > 0.9)
        ids[rnd] = torch.randint(1000, self.vocab, (int(rnd.sum()),), generator=self.gen)
        return {"input_ids": ids, "attention_mask": attn, "labels": labels}


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--layers", type=int, default=6)
    ap.add_argument("--hidden", type=int, default=512)
    ap.add_argument("--vocab", type=int, default=30522)
    ap.add_argument("--max-len", type=int, default=256)
    ap.add_argument("--micro-batch", type=int, default=16)
    ap.add_argument("--accum", type=int, default=4)
    ap.add_argument("--updates", type=int, default=3)
    a = ap.parse_args()
    torch.manual_seed(3)

    cfg = BertConfig(vocab_size=a.vocab, hidden_size=a.hidden, num_hidden_layers=a.layers,
                     num_attention_heads=a.hidden // 64, intermediate_size=4 * a.hidden,
                     max_position_embeddings=512)
    model = BertForMaskedLM(cfg).to("cuda")
    print(f"parameters: {sum(p.numel() for p in model.parameters()) / 1e6:.1f} M")
    nodecay = ("bias", "LayerNorm.weight")
    groups = [
        {"params": [p for n, p in model.named_parameters() if not n.endswith(nodecay)], "weight_decay": 0.01},
        {"params": [p for n, p in model.named_parameters() if n.endswith(nodecay)], "weight_decay": 0.0},
    ]
    opt = torch.optim.AdamW(groups, lr=1e-4, eps=1e-6)
    sched = get_linear_schedule_with_warmup(opt, 1, a.updates)
    n = a.micro_batch * a.accum * a.updates
    loader = DataLoader(RandomDocs(n, a.vocab, a.max_len), batch_size=a.micro_batch, shuffle=True,
                        collate_fn=MLMCollator(a.vocab), num_workers=0, pin_memory=True)

    model.train()
    acc_loss = torch.zeros((), device="cuda")
    for i, batch in enumerate(loader, 1):
        batch = {k: v.to("cuda", non_blocking=True) for k, v in batch.items()}
        loss = model(**batch).loss / a.accum
        loss.backward()
        acc_loss += loss.detach()
        if i % a.accum == 0:
            gn = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            opt.zero_grad()
            print(f"update {i // a.accum} mlm loss {acc_loss.item():.3f} grad norm {gn.item():.2f} "
                  f"lr {sched.get_last_lr()[0]:.2e} alloc {torch.cuda.memory_allocated() / 2**20:.0f} "
                  f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
            acc_loss.zero_()
    with tempfile.TemporaryDirectory() as d:
        model.save_pretrained(d)


if __name__ == "__main__":
    main()
