# limit: 2.5
import torch
from transformers import GPT2Config, GPT2LMHeadModel

device = "cuda"


def make_model():
    config = GPT2Config(
        vocab_size=8000, n_positions=256, n_embd=1024, n_layer=16, n_head=16,
        resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, use_cache=False)
    return GPT2LMHeadModel(config)


class Sonnets(torch.utils.data.Dataset):
    def __init__(self, count=2000, length=128):
        g = torch.Generator().manual_seed(1609)
        self.lines = torch.randint(0, 8000, (count, length), generator=g)

    def __len__(self):
        return len(self.lines)

    def __getitem__(self, i):
        return self.lines[i]


def warm(step, warmup=50):
    return min(1.0, (step + 1) / warmup)


def main():
    torch.manual_seed(0)
    model = make_model().to(device)
    millions = sum(p.numel() for p in model.parameters()) / 1e6
    print(f"{millions:.0f} M parameters")
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-4, weight_decay=0.1)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, warm)
    loader = torch.utils.data.DataLoader(Sonnets(), batch_size=2, shuffle=True, drop_last=True)
    model.train()
    for step, ids in enumerate(loader):
        ids = ids.to(device)
        loss = model(input_ids=ids, labels=ids).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad(set_to_none=True)
        if step % 10 == 0:
            print(step, loss.item())
        if step == 60:
            break


if __name__ == "__main__":
    main()
