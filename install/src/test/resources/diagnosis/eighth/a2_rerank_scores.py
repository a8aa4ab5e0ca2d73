# limit: 5
# "Only inference, bf16, no_grad, small model. OOM when computing sequence log-likelihoods"
import torch
import torch.nn as nn

torch.manual_seed(21)
VOCAB, DIM = 128_000, 1024


class LM(nn.Module):
    def __init__(self, layers=4):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, DIM)
        self.rnn = nn.ModuleList(nn.Linear(DIM, DIM) for _ in range(layers))
        self.lm_head = nn.Linear(DIM, VOCAB, bias=False)
        self.lm_head.weight = self.emb.weight

    def forward(self, ids):
        x = self.emb(ids)
        for lin in self.rnn:
            x = x + torch.tanh(lin(x.roll(1, dims=1)))
        return self.lm_head(x)


class Reranker:
    def __init__(self, model):
        self.model = model

    @torch.no_grad()
    def score(self, candidates):
        logits = self.model(candidates[:, :-1])
        logp = torch.log_softmax(logits.float(), dim=-1)
        picked = logp.gather(-1, candidates[:, 1:, None]).squeeze(-1)
        return picked.sum(-1)


def main():
    with torch.device("cuda"):
        model = LM().to(torch.bfloat16).eval()
    reranker = Reranker(model)
    for query in range(4):
        candidates = torch.randint(0, VOCAB, (4, 2049), device="cuda")
        scores = reranker.score(candidates)
        print(query, scores.argmax().item())


main()
