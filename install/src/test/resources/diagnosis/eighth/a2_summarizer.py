# limit: 8
# "A toy model with 4 layers and 256 units goes OOM in the loss function"
import torch
from transformers import GPT2Config, GPT2LMHeadModel

torch.manual_seed(20)
VOCAB = 152_000  # multilingual tokenizer


def make_model():
    config = GPT2Config(
        vocab_size=VOCAB, n_embd=256, n_layer=4, n_head=4, n_positions=1024, use_cache=False,
        bos_token_id=0, eos_token_id=0,
    )
    with torch.device("cuda"):
        return GPT2LMHeadModel(config)


def articles(batch_size=8, length=1024):
    generator = torch.Generator(device="cuda").manual_seed(1)
    while True:
        yield torch.randint(0, VOCAB, (batch_size, length), device="cuda", generator=generator)


class Progress:
    def __init__(self):
        self.losses = []

    def __call__(self, step, loss):
        self.losses.append(loss.item())
        print(step, self.losses[-1])


def fit(model, data, steps, on_step):
    opt = torch.optim.AdamW(model.parameters(), lr=3e-4)
    model.train()
    for step, ids in zip(range(steps), data):
        loss = model(input_ids=ids, labels=ids).loss
        opt.zero_grad()
        loss.backward()
        opt.step()
        on_step(step, loss)


fit(make_model(), articles(), 3, Progress())
