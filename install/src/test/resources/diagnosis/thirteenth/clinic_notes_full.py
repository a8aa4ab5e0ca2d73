# limit: 0.9
import torch
from transformers import BertConfig, BertForSequenceClassification, get_cosine_schedule_with_warmup


def build():
    cfg = BertConfig(vocab_size=28000, hidden_size=768, num_hidden_layers=9, num_attention_heads=12,
                     intermediate_size=3072, num_labels=4)
    return BertForSequenceClassification(cfg).to("cuda")


@torch.no_grad()
def accuracy(model, n=5):
    model.eval()
    hits = 0.0
    for _ in range(n):
        ids = torch.randint(0, 28000, (4, 64), device="cuda")
        y = torch.randint(0, 4, (4,), device="cuda")
        hits += (model(input_ids=ids).logits.argmax(-1) == y).float().mean().item()
    model.train()
    return hits / n


def main():
    torch.manual_seed(61)
    model = build()
    print(f"{sum(p.numel() for p in model.parameters()) / 1e6:.0f} M parameters")
    print("before", accuracy(model))
    opt = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
    sched = get_cosine_schedule_with_warmup(opt, 5, 60)
    for step in range(60):
        ids = torch.randint(0, 28000, (2, 64), device="cuda")
        y = torch.randint(0, 4, (2,), device="cuda")
        loss = model(input_ids=ids, labels=y).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        opt.zero_grad(set_to_none=True)
        if step % 10 == 0:
            print(step, f"{loss.item():.4f}")
    print("after", accuracy(model))


if __name__ == "__main__":
    main()
