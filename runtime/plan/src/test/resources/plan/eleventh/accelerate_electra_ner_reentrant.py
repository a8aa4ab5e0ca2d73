"""Token tagging with an ELECTRA-shaped encoder, `accelerate` for bf16 and accumulation, reentrant checkpointing."""
import math
import tempfile

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.utils.data import DataLoader, Dataset
from transformers import ElectraConfig, ElectraForTokenClassification, get_scheduler

TAGS = 9
VOCAB = 18000
ACCUM = 2
BATCH = 16
MAXLEN = 384
DOCS = 160
IGNORE = -100


class TaggedDocs(Dataset):
    """a tag depends on the token id and on its left neighbour, so there is something to learn"""

    def __init__(self, n, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.docs = []
        for _ in range(n):
            length = int(torch.randint(60, MAXLEN, (1,), generator=self.g))
            ids = torch.randint(5, VOCAB, (length,), generator=self.g)
            tags = (ids + ids.roll(1)) % TAGS
            self.docs.append((ids, tags))

    def __len__(self):
        return len(self.docs)

    def __getitem__(self, i):
        return self.docs[i]


def pad_batch(rows):
    width = math.ceil(max(len(r[0]) for r in rows) / 16) * 16
    ids = torch.zeros(len(rows), width, dtype=torch.long)
    tags = torch.full((len(rows), width), IGNORE)
    for i, (a, b) in enumerate(rows):
        ids[i, :len(a)], tags[i, :len(b)] = a, b
    return {"input_ids": ids, "attention_mask": (ids > 0).long(), "labels": tags}


def main():
    set_seed(202)
    accelerator = Accelerator(mixed_precision="bf16", gradient_accumulation_steps=ACCUM)
    cfg = ElectraConfig(vocab_size=VOCAB, embedding_size=128, hidden_size=768, num_hidden_layers=10, num_attention_heads=12,
                        intermediate_size=3072, max_position_embeddings=MAXLEN + 16, num_labels=TAGS)
    model = ElectraForTokenClassification(cfg)
    model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": True})
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, eps=1e-6)
    train = DataLoader(TaggedDocs(DOCS, 1), batch_size=BATCH, shuffle=True, collate_fn=pad_batch)
    dev = DataLoader(TaggedDocs(32, 2), batch_size=2 * BATCH, collate_fn=pad_batch)
    sched = get_scheduler("polynomial", optimizer, num_warmup_steps=1, num_training_steps=len(train) // ACCUM)
    model, optimizer, train, dev, sched = accelerator.prepare(model, optimizer, train, dev, sched)
    accelerator.print("device", accelerator.device, "batches", len(train))

    model.train()
    for step, batch in enumerate(train):
        with accelerator.accumulate(model):
            out = model(**batch)
            accelerator.backward(out.loss)
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            sched.step()
            optimizer.zero_grad()
        if step % 2 == 1:
            accelerator.print(f"step {step} width {batch['input_ids'].shape[1]} loss {out.loss.item():.4f} "
                              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")

    model.eval()
    right = total = 0
    for batch in dev:
        with torch.no_grad():
            pred = model(**batch).logits.argmax(-1)
        pred, labels = accelerator.gather_for_metrics((pred, batch["labels"]))
        m = labels != IGNORE
        right += (pred[m] == labels[m]).sum().item()
        total += m.sum().item()
    accelerator.print("dev token accuracy", round(right / total, 4))
    with tempfile.TemporaryDirectory() as d:
        accelerator.save(accelerator.unwrap_model(model).state_dict(), d + "/electra.pt")


if __name__ == "__main__":
    main()
