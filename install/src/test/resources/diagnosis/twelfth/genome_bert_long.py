# limit: 2.0
"""Masked base modelling on DNA windows of increasing length."""
import torch
from transformers import BertConfig, BertForMaskedLM

BASES = 6          # pad, mask, A, C, G, T
WINDOWS = [128, 384, 1536]


def make_model():
    cfg = BertConfig(vocab_size=BASES, hidden_size=256, num_hidden_layers=4,
                     num_attention_heads=8, intermediate_size=768,
                     max_position_embeddings=2048,
                     attn_implementation="eager")
    return BertForMaskedLM(cfg)


def masked(ids, p=0.15):
    labels = ids.clone()
    where = torch.rand(ids.shape, device=ids.device) < p
    labels[~where] = -100
    return ids.masked_fill(where, 1), labels


def main():
    torch.manual_seed(4)
    dev = torch.device("cuda")
    model = make_model().to(dev).train()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-4, weight_decay=0.01)
    for window in WINDOWS:
        total = 0.0
        for step in range(6):
            ids = torch.randint(2, BASES, (8, window), device=dev)
            x, labels = masked(ids)
            loss = model(input_ids=x, labels=labels).loss
            loss.backward()
            opt.step()
            opt.zero_grad()
            total += loss.item()
        print(f"window {window:5d}  mean loss {total / 6:.4f}")


if __name__ == "__main__":
    main()
