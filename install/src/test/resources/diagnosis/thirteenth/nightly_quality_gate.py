# limit: 1.8
import logging
import torch
from transformers import GPT2Config, GPT2LMHeadModel

logging.basicConfig(format="%(levelname)s %(message)s", level=logging.INFO)
logger = logging.getLogger(__name__)


class Trainer:
    def __init__(self, model, cfg):
        self.model, self.cfg = model, cfg
        self.opt = torch.optim.AdamW(model.parameters(), lr=1e-4)

    def batch(self, b, t):
        return torch.randint(0, self.cfg.vocab_size, (b, t), device="cuda")

    def training_step(self):
        self.model.train()
        ids = self.batch(4, 128)
        loss = self.model(ids, labels=ids).loss
        loss.backward()
        self.opt.step()
        self.opt.zero_grad()
        return loss.item()

    def evaluate(self, n):
        self.model.eval()
        losses = []
        for _ in range(n):
            ids = self.batch(4, 128)
            loss = self.model(ids, labels=ids).loss
            losses.append(loss)
        return torch.stack(losses).mean().item()


def main():
    torch.manual_seed(12)
    cfg = GPT2Config(vocab_size=5000, n_embd=512, n_layer=6, n_head=8, n_positions=128)
    tr = Trainer(GPT2LMHeadModel(cfg).to("cuda"), cfg)
    for step in range(1, 31):
        loss = tr.training_step()
        if step % 10 == 0:
            logger.info("step %d train %.3f", step, loss)
            logger.info("quick check %.3f", tr.evaluate(4))
    logger.info("full gate %.3f", tr.evaluate(80))


if __name__ == "__main__":
    main()
