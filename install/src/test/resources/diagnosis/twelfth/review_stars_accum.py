# limit: 1.0
"""Star rating from review text, effective batch of 128."""
import torch
from transformers import BertConfig, BertForSequenceClassification

ACCUM = 8


def reviews(n, bs=16, length=128):
    g = torch.Generator().manual_seed(5)
    for _ in range(n):
        ids = torch.randint(10, 8000, (bs, length), generator=g)
        yield ids, torch.randint(0, 5, (bs,), generator=g)


def make_model():
    cfg = BertConfig(vocab_size=8000, hidden_size=256, num_hidden_layers=4,
                     num_attention_heads=4, intermediate_size=1024,
                     max_position_embeddings=128, num_labels=5)
    return BertForSequenceClassification(cfg)


def train_epoch(model, opt, sched, n=48):
    model.train()
    running, losses = 0.0, []
    for i, (ids, stars) in enumerate(reviews(n), 1):
        out = model(input_ids=ids.to("cuda"), labels=stars.to("cuda"))
        (out.loss / ACCUM).backward()
        running += out.loss.detach()
        if i % ACCUM == 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            opt.zero_grad()
            losses.append(running.item() / ACCUM)
            running = 0.0
    return losses


def main():
    torch.manual_seed(5)
    model = make_model().to("cuda")
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.1, total_iters=12)
    for epoch in range(2):
        losses = train_epoch(model, opt, sched)
        print("epoch", epoch, [round(v, 3) for v in losses])


if __name__ == "__main__":
    main()
