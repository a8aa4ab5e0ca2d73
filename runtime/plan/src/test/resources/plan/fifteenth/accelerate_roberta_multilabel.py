"""Multi-label classification with RoBERTa and Accelerate (fp16, gradient accumulation, save_state)."""
import tempfile

import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.utils.data import DataLoader, Dataset
from transformers import RobertaConfig, RobertaForSequenceClassification, get_scheduler

LABELS = 28
BATCH = 16
ACCUM = 2
SEQ = 192
N_TRAIN = 160
HIDDEN, N_LAYERS = 768, 8


class Comments(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.lens = torch.randint(16, SEQ, (n,), generator=g)
        self.ids = torch.randint(5, 50000, (n, SEQ), generator=g)
        self.labels = (torch.rand(n, LABELS, generator=g) < 0.1).float()

    def __len__(self):
        return len(self.lens)

    def __getitem__(self, i):
        ids = self.ids[i].clone()
        n = int(self.lens[i])
        ids[0], ids[n] = 0, 2
        ids[n + 1:] = 1
        return {"input_ids": ids, "attention_mask": (ids != 1).long(), "labels": self.labels[i]}


def micro_f1(logits, labels):
    pred = logits > -1.5
    tp = (pred & labels.bool()).sum()
    return (2 * tp / (pred.sum() + labels.sum()).clamp_min(1)).item()


def main():
    accelerator = Accelerator(mixed_precision="fp16", gradient_accumulation_steps=ACCUM)
    set_seed(21)
    config = RobertaConfig(vocab_size=50265, hidden_size=HIDDEN, num_hidden_layers=N_LAYERS, num_attention_heads=12,
                           intermediate_size=4 * HIDDEN, max_position_embeddings=514, type_vocab_size=1, num_labels=LABELS,
                           problem_type="multi_label_classification")
    model = RobertaForSequenceClassification(config)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-5, weight_decay=0.01)
    train_dl = DataLoader(Comments(N_TRAIN, 0), batch_size=BATCH, shuffle=True)
    eval_dl = DataLoader(Comments(48, 1), batch_size=2 * BATCH)
    updates = len(train_dl) // ACCUM
    scheduler = get_scheduler("cosine", optimizer, num_warmup_steps=1, num_training_steps=updates)
    model, optimizer, train_dl, eval_dl, scheduler = accelerator.prepare(model, optimizer, train_dl, eval_dl, scheduler)
    accelerator.print(f"device {accelerator.device}, {sum(p.numel() for p in model.parameters()) / 1e6:.0f}M parameters, {updates} updates")

    model.train()
    for step, batch in enumerate(train_dl):
        with accelerator.accumulate(model):
            out = model(**batch)
            accelerator.backward(out.loss)
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
        if accelerator.sync_gradients:
            accelerator.print(f"update {(step + 1) // ACCUM} loss {out.loss.item():.4f} skipped {optimizer.step_was_skipped}")

    model.eval()
    all_logits, all_labels = [], []
    for batch in eval_dl:
        with torch.no_grad():
            logits = model(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]).logits
        logits, labels = accelerator.gather_for_metrics((logits, batch["labels"]))
        all_logits.append(logits.float().cpu())
        all_labels.append(labels.cpu())
    accelerator.print(f"micro F1 {micro_f1(torch.cat(all_logits), torch.cat(all_labels)):.4f}")
    with tempfile.TemporaryDirectory() as d:
        accelerator.save_state(d)
        accelerator.load_state(d)
    accelerator.print(f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
