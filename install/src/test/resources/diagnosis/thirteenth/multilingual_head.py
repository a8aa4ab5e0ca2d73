# limit: 3.0
import argparse
import torch
from transformers import LlamaConfig, LlamaForCausalLM


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--batch", type=int, default=6)
    p.add_argument("--lr", type=float, default=3e-4)
    p.add_argument("--vocab", type=int, default=128256)
    return p.parse_args([])


def buckets(vocab, batch):
    """length buckets in curriculum order: short sentences first"""
    for length, steps in ((32, 6), (64, 6), (128, 6), (384, 6)):
        for _ in range(steps):
            yield torch.randint(0, vocab, (batch, length), device="cuda")


def main():
    args = parse()
    torch.manual_seed(1)
    cfg = LlamaConfig(vocab_size=args.vocab, hidden_size=256, intermediate_size=704, num_hidden_layers=3,
                      num_attention_heads=4, num_key_value_heads=2, tie_word_embeddings=True)
    model = LlamaForCausalLM(cfg).to("cuda")
    n = sum(p.numel() for p in model.parameters())
    print(f"{n/1e6:.1f} M parameters")
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr)
    for step, ids in enumerate(buckets(args.vocab, args.batch)):
        loss = model(input_ids=ids, labels=ids).loss
        loss.backward()
        opt.step()
        opt.zero_grad(set_to_none=True)
        if step % 3 == 0:
            print(f"step {step} len {ids.shape[1]} loss {loss.item():.3f}")


if __name__ == "__main__":
    main()
