# limit: 1.4
import torch
from transformers import BertConfig, BertForTokenClassification


def build():
    cfg = BertConfig(vocab_size=12000, hidden_size=1024, num_hidden_layers=7, num_attention_heads=16,
                     intermediate_size=4096, num_labels=9)
    model = BertForTokenClassification(cfg).to("cuda")
    for p in model.bert.parameters():
        p.requires_grad_(False)
    return model


class Tagger:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-3)

    def unfreeze(self):
        new = [p for p in self.model.bert.parameters() if not p.requires_grad]
        for p in new:
            p.requires_grad_(True)
        self.opt.add_param_group({"params": new, "lr": 2e-5})
        print(f"unfroze {sum(p.numel() for p in new) / 1e6:.0f} M parameters, "
              f"{torch.cuda.memory_allocated() / 2**20:.0f} MiB")

    def epoch(self, batches):
        self.model.train()
        total = 0.0
        for _ in range(batches):
            ids = torch.randint(0, 12000, (4, 64), device="cuda")
            tags = torch.randint(0, 9, (4, 64), device="cuda")
            loss = self.model(input_ids=ids, labels=tags).loss
            loss.backward()
            self.opt.step()
            self.opt.zero_grad()
            total += loss.item()
        return total / batches


def main():
    torch.manual_seed(44)
    tagger = Tagger(build())
    for epoch in range(6):
        if epoch == 3:
            tagger.unfreeze()
        print(f"epoch {epoch}: {tagger.epoch(8):.4f}")


if __name__ == "__main__":
    main()
