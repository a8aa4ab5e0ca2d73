# limit: 4.5
"""Supervised fine-tuning of a GPT-2 medium on short dialogues."""
import torch
from transformers import GPT2Config, GPT2LMHeadModel, get_cosine_schedule_with_warmup


def collate(batch_size, length, vocab):
    ids = torch.randint(0, vocab, (batch_size, length))
    labels = ids.clone()
    labels[:, : length // 2] = -100
    return {"input_ids": ids, "labels": labels}


def main():
    torch.manual_seed(11)
    device = torch.device("cuda")
    cfg = GPT2Config(n_embd=1024, n_layer=24, n_head=16, n_positions=512, resid_pdrop=0.0,
                     embd_pdrop=0.0, attn_pdrop=0.0)
    with device:
        model = GPT2LMHeadModel(cfg)
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-5, weight_decay=0.01)
    scheduler = get_cosine_schedule_with_warmup(optimizer, 5, 50)

    for step in range(50):
        batch = {k: v.to(device) for k, v in collate(1, 64, cfg.vocab_size).items()}
        out = model(**batch)
        out.loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0, foreach=False)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
        print({"step": step, "loss": round(out.loss.item(), 4), "lr": scheduler.get_last_lr()[0]})


if __name__ == "__main__":
    main()
