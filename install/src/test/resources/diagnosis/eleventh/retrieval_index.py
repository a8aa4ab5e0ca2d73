# limit: 2.0
"""Build a dense retrieval index over a synthetic corpus."""
import logging
import time

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
log = logging.getLogger("index")


class Encoder(nn.Module):
    def __init__(self, vocab=30000, width=512, out=1024):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, width, mode="mean")
        self.proj = nn.Sequential(nn.Linear(width, out), nn.Tanh(), nn.Linear(out, out))

    def forward(self, tokens):
        return nn.functional.normalize(self.proj(self.bag(tokens)), dim=-1)


def passages(n_batches, batch, seed=3):
    gen = torch.Generator().manual_seed(seed)
    for i in range(n_batches):
        yield i, torch.randint(0, 30000, (batch, 24), generator=gen)


@torch.no_grad()
def build_index(encoder, n_batches=64, batch=16384):
    chunks = []
    start = time.time()
    for i, tokens in passages(n_batches, batch):
        emb = encoder(tokens.to("cuda", non_blocking=True))
        chunks.append(emb)
        if i % 8 == 0:
            log.info("batch %d / %d  %.1fs", i, n_batches, time.time() - start)
    return torch.cat([c.cpu() for c in chunks])


def main():
    torch.manual_seed(0)
    encoder = Encoder().to("cuda").eval()
    index = build_index(encoder)
    log.info("index of shape %s", tuple(index.shape))


if __name__ == "__main__":
    main()
