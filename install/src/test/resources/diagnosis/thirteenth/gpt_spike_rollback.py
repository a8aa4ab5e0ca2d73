# limit: 2.2
# training loop which goes back to the last checkpoint when the loss spikes
import os
import tempfile
import torch
from transformers import GPT2Config, GPT2LMHeadModel, set_seed

set_seed(1234)
device = "cuda"


class Checkpointer:
    def __init__(self, folder):
        self.path = os.path.join(folder, "last.pt")

    def save(self, step, model, opt):
        torch.save({"step": step, "model": model.state_dict(), "opt": opt.state_dict()},
                   self.path)

    def restore(self, model, opt):
        ckpt = torch.load(self.path, map_location=device)
        model.load_state_dict(ckpt["model"])
        opt.load_state_dict(ckpt["opt"])
        return ckpt["step"]


def batch(step, size=2, length=128):
    ids = torch.randint(0, 8000, (size, length), device=device)
    if step < 40:            # easy text first, then something unlike it
        ids = ids % 4
    return ids


def main():
    cfg = GPT2Config(vocab_size=8000, n_positions=256, n_embd=768, n_layer=12, n_head=12,
                     resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0)
    model = GPT2LMHeadModel(cfg).to(device)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-4, fused=True)
    print("parameters:", sum(p.numel() for p in model.parameters()) // 10**6, "M")
    smooth = None
    with tempfile.TemporaryDirectory() as tmp:
        keeper = Checkpointer(tmp)
        for step in range(60):
            ids = batch(step)
            loss = model(input_ids=ids, labels=ids).loss
            value = loss.item()
            if smooth is not None and value > 1.6 * smooth:
                back = keeper.restore(model, opt)
                print(f"step {step}: loss {value:.2f} vs {smooth:.2f}, back to step {back}")
                smooth = None
                continue
            opt.zero_grad()
            loss.backward()
            opt.step()
            smooth = value if smooth is None else 0.7 * smooth + 0.3 * value
            if step in (15, 30):
                keeper.save(step, model, opt)
                print(f"step {step}: loss {value:.3f}, saved")


if __name__ == "__main__":
    main()
