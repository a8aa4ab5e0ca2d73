# limit: 1.3
"""Supervised stage, then preference optimisation (toy)."""
import copy
import torch
import torch.nn.functional as F
from transformers import GPT2Config, GPT2LMHeadModel

LEN = 48


def tokens(n, vocab=4000):
    return torch.randint(0, vocab, (n, LEN), device="cuda")


def logprob(model, ids):
    out = model(input_ids=ids).logits[:, :-1]
    return torch.log_softmax(out.float(), -1).gather(2, ids[:, 1:, None]).sum((1, 2))


class PreferenceStage:
    def __init__(self, model, opt, beta=0.1):
        self.model, self.opt, self.beta = model, opt, beta
        self.reference = copy.deepcopy(model).eval().requires_grad_(False)

    def step(self, good, bad):
        with torch.no_grad():
            ref = logprob(self.reference, good) - logprob(self.reference, bad)
        pol = logprob(self.model, good) - logprob(self.model, bad)
        loss = -F.logsigmoid(self.beta * (pol - ref)).mean()
        self.opt.zero_grad(set_to_none=False)
        loss.backward()
        self.opt.step()
        return loss.item()


def supervised(model, opt, steps):
    for i in range(steps):
        ids = tokens(2)
        loss = model(input_ids=ids, labels=ids).loss
        opt.zero_grad(set_to_none=False)
        loss.backward()
        opt.step()
        if i % 5 == 0:
            print("sft", i, round(loss.item(), 3))


def main():
    torch.manual_seed(9)
    cfg = GPT2Config(vocab_size=4000, n_positions=LEN, n_embd=768, n_layer=12, n_head=12)
    model = GPT2LMHeadModel(cfg).to("cuda").train()
    opt = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9, foreach=False)
    supervised(model, opt, 12)
    stage = PreferenceStage(model, opt)
    for i in range(10):
        print("pref", i, stage.step(tokens(2), tokens(2)))


if __name__ == "__main__":
    main()
