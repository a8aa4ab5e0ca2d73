# limit: 1.8
import numpy as np
import torch
from transformers import GPT2Config, GPT2LMHeadModel


class Predictor:
    """small copy of the Trainer's prediction loop"""

    def __init__(self, model, compute_metrics, eval_accumulation_steps=None):
        self.model = model
        self.compute_metrics = compute_metrics
        self.eval_accumulation_steps = eval_accumulation_steps

    @torch.no_grad()
    def predict(self, batches):
        self.model.eval()
        preds, labels, host = [], [], []
        for step, ids in enumerate(batches):
            out = self.model(ids)
            preds.append(out.logits)
            labels.append(ids)
            if self.eval_accumulation_steps and (step + 1) % self.eval_accumulation_steps == 0:
                host += [p.argmax(-1).cpu() for p in preds]
                preds = []
            if step % 5 == 0:
                print(f"  predict {step}: {torch.cuda.memory_allocated() / 2**20:.0f} MiB")
        host += [p.argmax(-1).cpu() for p in preds]
        return self.compute_metrics(host, [x.cpu() for x in labels])


def accuracy(preds, labels):
    hits = [(p[:, :-1] == y[:, 1:]).float().mean().item() for p, y in zip(preds, labels)]
    return {"accuracy": float(np.mean(hits)), "n": len(hits)}


def data(n, batch, length, vocab):
    for _ in range(n):
        yield torch.randint(0, vocab, (batch, length), device="cuda")


def main():
    torch.manual_seed(77)
    cfg = GPT2Config(vocab_size=20000, n_embd=256, n_layer=4, n_head=4, n_positions=128,
                     bos_token_id=0, eos_token_id=0)
    model = GPT2LMHeadModel(cfg).to("cuda")
    predictor = Predictor(model, accuracy)
    print("dev", predictor.predict(data(8, 8, 128, cfg.vocab_size)))
    print("test", predictor.predict(data(120, 8, 128, cfg.vocab_size)))


if __name__ == "__main__":
    main()
