# limit: 6
# "Computing perplexity of GPT-2 (124M) needs more memory than training it??"
import torch
from transformers import GPT2Config, GPT2LMHeadModel

torch.manual_seed(5)


class AverageMeter:
    def __init__(self, name):
        self.name = name
        self.reset()

    def reset(self):
        self.sum, self.count = 0, 0

    def update(self, value, n):
        self.sum = self.sum + value * n
        self.count += n

    @property
    def avg(self):
        return self.sum / max(self.count, 1)


def loader(batches, batch_size, length, vocab):
    g = torch.Generator().manual_seed(7)
    for _ in range(batches):
        yield torch.randint(0, vocab, (batch_size, length), generator=g)


def perplexity(model, config, device):
    meter = AverageMeter("nll")
    model.eval()
    for ids in loader(30, 4, 256, config.vocab_size):
        ids = ids.to(device)
        out = model(input_ids=ids, labels=ids)
        meter.update(out.loss, ids.numel())
        del out, ids
    return torch.exp(meter.avg)


device = "cuda"
config = GPT2Config(use_cache=False)
with torch.device(device):
    model = GPT2LMHeadModel(config)
print("perplexity", perplexity(model, config, device).item())
