# limit: 1.25
"""Pick the best chunk per document, then train a late interaction projector on them."""
import torch
from torch import nn

DOCS, CHUNKS = 512, 8
TOKENS, DIM = 256, 256


class TokenEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(DIM, DIM)

    def forward(self, x):
        return torch.tanh(self.lin(x))


@torch.no_grad()
def encode_corpus(encoder):
    corpus = []
    for d in range(DOCS):
        doc = []
        for c in range(CHUNKS):
            tokens = torch.randn(TOKENS, DIM, device="cuda")
            doc.append(encoder(tokens))
        corpus.append(doc)
        if d % 128 == 0:
            print("encoded", d)
    return corpus


def best_chunks(corpus):
    best = []
    for doc in corpus:
        scores = [float(c.norm()) for c in doc]
        best.append(doc[scores.index(max(scores))])
    return best


@torch.no_grad()
def interaction_table(chunks, width=1280):
    flat = torch.cat(chunks)                       # 131072 x 256
    proj = torch.randn(DIM, width, device="cuda") / DIM ** 0.5
    return flat @ proj


def main():
    torch.manual_seed(0)
    encoder = TokenEncoder().to("cuda").eval()
    corpus = encode_corpus(encoder)
    chunks = best_chunks(corpus)
    del corpus
    print(f"kept {len(chunks)} chunks, {torch.cuda.memory_allocated() / 2**20:.0f} MiB in use")
    table = interaction_table(chunks)
    print(table.shape, table.abs().mean().item())


if __name__ == "__main__":
    main()
