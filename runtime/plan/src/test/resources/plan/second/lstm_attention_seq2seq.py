import torch
import torch.nn as nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self, vocab, size):
        super().__init__()
        self.embed, self.rnn = nn.Embedding(vocab, size), nn.LSTM(size, size, num_layers=2, batch_first=True, bidirectional=True, dropout=0.2)

    def forward(self, x):
        return self.rnn(self.embed(x))[0]


class Decoder(nn.Module):
    def __init__(self, vocab, size):
        super().__init__()
        self.embed, self.cell = nn.Embedding(vocab, size), nn.LSTMCell(3 * size, size)
        self.query, self.out = nn.Linear(size, 2 * size), nn.Linear(3 * size, vocab)

    def forward(self, memory, y):
        h = c = memory.new_zeros(memory.shape[0], self.query.in_features)
        outs = []
        for t in range(y.shape[1]):
            scores = torch.bmm(memory, self.query(h).unsqueeze(2)).squeeze(2)
            context = torch.bmm(F.softmax(scores, 1).unsqueeze(1), memory).squeeze(1)
            h, c = self.cell(torch.cat([self.embed(y[:, t]), context], 1), (h, c))
            outs.append(self.out(torch.cat([h, context], 1)))
        return torch.stack(outs, 1)


torch.manual_seed(0)
enc, dec = Encoder(8000, 256).cuda(), Decoder(8000, 256).cuda()
opt = torch.optim.Adam([*enc.parameters(), *dec.parameters()], lr=1e-3)
for step in range(3):
    x, y = torch.randint(0, 8000, (32, 50), device="cuda"), torch.randint(0, 8000, (32, 21), device="cuda")
    logits = dec(enc(x), y[:, :-1])
    loss = F.cross_entropy(logits.reshape(-1, 8000), y[:, 1:].reshape(-1), ignore_index=0)
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_([*enc.parameters(), *dec.parameters()], 5.0)
    opt.step()
