# limit: 2
import torch
import torch.nn as nn
import torch.nn.functional as F

device = torch.device("cuda")
DIM, BATCH, BATCHES = 768, 8192, 62


class RecipeEncoder(nn.Module):
    def __init__(self, words=30000, width=256):
        super().__init__()
        self.words = nn.EmbeddingBag(words, width, mode="mean")
        self.up = nn.Sequential(nn.Linear(width, 1024), nn.GELU(), nn.Linear(1024, DIM))

    def forward(self, tokens):
        return F.normalize(self.up(self.words(tokens)), dim=-1)


def corpus(seed=11):
    g = torch.Generator().manual_seed(seed)
    for _ in range(BATCHES):
        yield torch.randint(0, 30000, (BATCH, 24), generator=g)


@torch.no_grad()
def build_index(encoder):
    index = torch.empty(0, DIM, device=device)
    for i, tokens in enumerate(corpus()):
        vectors = encoder(tokens.to(device))
        index = torch.cat([index, vectors])
        if i % 10 == 0:
            print("indexed", index.shape[0])
    return index


@torch.no_grad()
def search(index, encoder, query, k=10):
    q = encoder(query.to(device))
    return (q @ index.T).topk(k).indices


def main():
    encoder = RecipeEncoder().to(device).eval()
    index = build_index(encoder)
    hits = search(index, encoder, torch.randint(0, 30000, (4, 24)))
    print("recipes", index.shape[0], "hits", hits.tolist())


if __name__ == "__main__":
    main()
