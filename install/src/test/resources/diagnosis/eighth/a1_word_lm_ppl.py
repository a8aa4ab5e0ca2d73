# limit: 2
"""Perplexity of an LSTM language model over a long corpus, read in chunks of bptt tokens."""
import math
import torch
from torch import nn


class RNNModel(nn.Module):
    def __init__(self, ntoken=5000, ninp=512, nhid=1024, nlayers=2):
        super().__init__()
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = nn.LSTM(ninp, nhid, nlayers, batch_first=True)
        self.decoder = nn.Linear(nhid, ntoken)
        self.ntoken = ntoken

    def forward(self, tokens, hidden):
        emb = self.encoder(tokens)
        output, hidden = self.rnn(emb, hidden)
        return self.decoder(output), hidden

    def init_hidden(self, bsz):
        weight = next(self.parameters())
        shape = (self.rnn.num_layers, bsz, self.rnn.hidden_size)
        return weight.new_zeros(shape), weight.new_zeros(shape)


def batchify(data, bsz):
    n = data.size(0) // bsz
    return data[: n * bsz].view(bsz, n).contiguous()


def evaluate(model, source, bptt):
    model.eval()
    criterion = nn.CrossEntropyLoss(reduction="sum")
    hidden = model.init_hidden(source.size(0))
    total, count = 0.0, 0
    for i in range(0, source.size(1) - 1 - bptt, bptt):
        data = source[:, i:i + bptt]
        targets = source[:, i + 1:i + 1 + bptt]
        logits, hidden = model(data, hidden)
        loss = criterion(logits.reshape(-1, model.ntoken), targets.reshape(-1))
        total += loss.item()
        count += targets.numel()
    return math.exp(min(total / count, 20))


if __name__ == "__main__":
    torch.manual_seed(1111)
    corpus = torch.randint(0, 5000, (32 * 35 * 1200,), device="cuda")
    net = RNNModel().to("cuda")
    print("ppl", evaluate(net, batchify(corpus, 32), bptt=35))
