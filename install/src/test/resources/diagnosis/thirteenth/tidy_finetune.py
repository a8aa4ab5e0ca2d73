# limit: 1.5
import gc
import torch
from transformers import BertConfig, BertForSequenceClassification


def cleanup():
    gc.collect()
    torch.cuda.empty_cache()


class MemoryCallback:
    """from a forum post: keeps memory low"""

    def on_step_end(self, step):
        cleanup()
        if step % 10 == 0:
            print(f"step {step}: reserved {torch.cuda.memory_reserved() / 2**20:.0f} MiB")


class Fit:
    def __init__(self, model, callbacks):
        self.model = model
        self.callbacks = callbacks
        self.opt = torch.optim.AdamW(model.parameters(), lr=2e-5)

    def run(self, steps):
        self.model.train()
        for step in range(steps):
            ids = torch.randint(0, 8000, (16, 128), device="cuda")
            y = torch.randint(0, 2, (16,), device="cuda")
            loss = self.model(input_ids=ids, labels=y).loss
            loss.backward()
            self.opt.step()
            self.opt.zero_grad()
            if step % 10 == 0:
                print(f"loss {loss.item():.4f}")
            for c in self.callbacks:
                c.on_step_end(step)


def main():
    torch.manual_seed(0)
    cfg = BertConfig(vocab_size=8000, hidden_size=384, num_hidden_layers=6, num_attention_heads=6,
                     intermediate_size=1536, num_labels=2)
    Fit(BertForSequenceClassification(cfg).to("cuda"), [MemoryCallback()]).run(60)


if __name__ == "__main__":
    main()
