import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.utils.data import DataLoader, Dataset
from transformers import AutoModelForCausalLM, Qwen3Config, get_linear_schedule_with_warmup

# SFT loop with accelerate, mostly copied from the examples

BATCH = 4
GRAD_ACC = 2
EPOCHS = 2


class ChatDataset(Dataset):
    def __init__(self, n, vocab, lo=200, hi=1000):
        self.n, self.vocab, self.lo, self.hi = n, vocab, lo, hi

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        n = int(torch.randint(self.lo, self.hi, (1,), generator=g))
        ids = torch.randint(5, self.vocab, (n,), generator=g)
        n_user = n // 3
        labels = ids.clone()
        labels[:n_user] = -100
        return {"input_ids": ids, "labels": labels}


def collate_fn(items):
    pad = torch.nn.utils.rnn.pad_sequence
    ids = pad([x["input_ids"] for x in items], batch_first=True, padding_value=0)
    labels = pad([x["labels"] for x in items], batch_first=True, padding_value=-100)
    return {"input_ids": ids, "attention_mask": (ids != 0).long(), "labels": labels}


def training_function():
    set_seed(42)
    accelerator = Accelerator(mixed_precision="bf16", gradient_accumulation_steps=GRAD_ACC)
    config = Qwen3Config(
        vocab_size=64000, hidden_size=768, intermediate_size=2048, num_hidden_layers=10,
        num_attention_heads=12, num_key_value_heads=4, head_dim=64, max_position_embeddings=2048,
        use_cache=False, tie_word_embeddings=True, pad_token_id=0)
    model = AutoModelForCausalLM.from_config(config, attn_implementation="sdpa")
    accelerator.print(f"params {model.num_parameters() / 1e6:.0f}M on {accelerator.device}")

    train_dl = DataLoader(ChatDataset(16, 64000), shuffle=True, collate_fn=collate_fn, batch_size=BATCH)
    eval_dl = DataLoader(ChatDataset(8, 64000), shuffle=False, collate_fn=collate_fn, batch_size=BATCH)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-5)
    lr_scheduler = get_linear_schedule_with_warmup(optimizer, 1, len(train_dl) * EPOCHS // GRAD_ACC)

    model, optimizer, train_dl, eval_dl, lr_scheduler = accelerator.prepare(
        model, optimizer, train_dl, eval_dl, lr_scheduler)

    for epoch in range(EPOCHS):
        model.train()
        for step, batch in enumerate(train_dl):
            with accelerator.accumulate(model):
                outputs = model(**batch)
                loss = outputs.loss
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                lr_scheduler.step()
                optimizer.zero_grad()
            accelerator.print(f"epoch {epoch} step {step} loss {loss.item():.4f} len {batch['input_ids'].shape[1]}")

        model.eval()
        losses = []
        for batch in eval_dl:
            with torch.no_grad():
                outputs = model(**batch)
            losses.append(accelerator.gather_for_metrics(outputs.loss.repeat(BATCH)))
        accelerator.print(f"epoch {epoch}: eval loss {torch.cat(losses).mean().item():.4f}")


if __name__ == "__main__":
    training_function()
