# limit: 2.0
import torch
from transformers import GPT2Config, GPT2LMHeadModel, get_linear_schedule_with_warmup


class Loop:
    def __init__(self, model, accum):
        self.model = model
        self.accum = accum
        self.opt = torch.optim.AdamW(model.parameters(), lr=3e-4)
        self.sched = get_linear_schedule_with_warmup(self.opt, 4, 40)

    def micro(self, vocab):
        return torch.randint(0, vocab, (4, 256), device="cuda")

    def optimizer_step(self, vocab):
        total = 0
        for _ in range(self.accum):
            ids = self.micro(vocab)
            total = total + self.model(ids, labels=ids).loss / self.accum
        total.backward()
        self.opt.step()
        self.sched.step()
        self.opt.zero_grad()
        return total.item()

    def set_accum(self, n):
        print(f"accumulating over {n} micro batches")
        self.accum = n


def main():
    torch.manual_seed(21)
    cfg = GPT2Config(vocab_size=6000, n_embd=384, n_layer=6, n_head=6, n_positions=256)
    loop = Loop(GPT2LMHeadModel(cfg).to("cuda"), accum=2)
    plan = {6: 4, 12: 16}
    for step in range(20):
        if step in plan:
            loop.set_accum(plan[step])
        loss = loop.optimizer_step(cfg.vocab_size)
        print(f"{step} {loss:.4f}")


if __name__ == "__main__":
    main()
