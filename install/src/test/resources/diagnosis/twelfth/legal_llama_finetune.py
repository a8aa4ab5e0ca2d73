# limit: 1.75
"""Full fine-tuning of a small Llama on clause texts; gradient accumulation of 8."""
import torch
from transformers import LlamaConfig, LlamaForCausalLM

ACCUM = 8
DEVICE = "cuda"


def config():
    return LlamaConfig(vocab_size=8000, hidden_size=1024, intermediate_size=2816,
                       num_hidden_layers=10, num_attention_heads=16,
                       num_key_value_heads=16, max_position_embeddings=512)


class Clauses(torch.utils.data.Dataset):
    def __init__(self, n=64, length=96):
        g = torch.Generator().manual_seed(0)
        self.ids = torch.randint(0, 8000, (n, length), generator=g)

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, i):
        return self.ids[i]


def main():
    torch.manual_seed(0)
    with torch.device(DEVICE):
        model = LlamaForCausalLM(config())
    n = sum(p.numel() for p in model.parameters())
    print(f"{n / 1e6:.0f} M parameters")
    model.train()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-5)
    loader = torch.utils.data.DataLoader(Clauses(), batch_size=1)
    for i, ids in enumerate(loader):
        ids = ids.to(DEVICE)
        loss = model(input_ids=ids, labels=ids).loss / ACCUM
        loss.backward()
        print(f"micro {i} loss {loss.item() * ACCUM:.3f}")
        if (i + 1) % ACCUM == 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0, foreach=False)
            opt.step()
            opt.zero_grad()
            print("update", (i + 1) // ACCUM)


if __name__ == "__main__":
    main()
