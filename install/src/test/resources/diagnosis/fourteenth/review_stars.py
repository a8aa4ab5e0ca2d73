# limit: 1.0
import torch
from torch import nn
from transformers import BertConfig, BertForSequenceClassification

torch.manual_seed(33)


class Meter:
    def __init__(self):
        self.history = []

    def add(self, loss):
        self.history.append(loss.detach())

    def mean(self, last=50):
        return torch.stack(self.history[-last:]).mean().item()


def loader(n, bs, length):
    for _ in range(n):
        ids = torch.randint(3, 6000, (bs, length), device="cuda")
        yield ids, (ids.sum(1) % 5)


class Finetuner:
    def __init__(self, accumulate=8):
        cfg = BertConfig(vocab_size=6000, hidden_size=256, num_hidden_layers=4, num_attention_heads=4,
                         intermediate_size=1024, num_labels=5)
        self.model = BertForSequenceClassification(cfg).cuda()
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=2e-4)
        self.sched = torch.optim.lr_scheduler.LinearLR(self.opt, 0.1, 1.0, 20)
        self.acc = accumulate
        self.meter = Meter()

    def epoch(self, n_batches):
        self.model.train()
        for i, (ids, stars) in enumerate(loader(n_batches, 8, 256), 1):
            loss = self.model(input_ids=ids, labels=stars).loss / self.acc
            loss.backward()
            self.meter.add(loss * self.acc)
            if i % self.acc == 0:
                nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.opt.step()
                self.sched.step()
                self.opt.zero_grad()

    @torch.no_grad()
    def evaluate(self, n_batches):
        self.model.eval()
        outs = [self.model(input_ids=ids).logits for ids, _ in loader(n_batches, 16, 256)]
        return torch.cat(outs).argmax(1).bincount(minlength=5).tolist()


ft = Finetuner()
for e in range(4):
    ft.epoch(48)
    print(f"epoch {e} loss {ft.meter.mean():.4f} predicted stars {ft.evaluate(10)}")
