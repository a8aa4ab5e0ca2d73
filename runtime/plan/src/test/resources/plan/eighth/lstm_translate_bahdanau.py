import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

torch.manual_seed(0)


class Translate(nn.Module):
    def __init__(self, vocab=8000, width=256, hidden=384):
        super().__init__()
        self.source, self.target = nn.Embedding(vocab, width, padding_idx=0), nn.Embedding(vocab, width, padding_idx=0)
        self.encoder = nn.LSTM(width, hidden, 2, batch_first=True, bidirectional=True, dropout=0.2)
        self.cell = nn.LSTMCell(width + 2 * hidden, hidden)
        self.q, self.k, self.v = nn.Linear(hidden, hidden), nn.Linear(2 * hidden, hidden), nn.Linear(hidden, 1)
        self.out = nn.Linear(3 * hidden + width, vocab)
        self.hidden = hidden

    def forward(self, source, lengths, target):
        packed = pack_padded_sequence(self.source(source), lengths, batch_first=True, enforce_sorted=True)
        memory, _ = pad_packed_sequence(self.encoder(packed)[0], batch_first=True)
        keys, mask = self.k(memory), source[:, :memory.shape[1]] == 0
        h = c = memory.new_zeros(len(source), self.hidden)
        logits = []
        for step in self.target(target[:, :-1]).unbind(1):
            score = self.v(torch.tanh(keys + self.q(h)[:, None])).squeeze(-1).masked_fill(mask, float("-inf"))
            context = torch.bmm(score.softmax(1)[:, None], memory).squeeze(1)
            h, c = self.cell(torch.cat([step, context], 1), (h, c))
            logits.append(self.out(torch.cat([h, context, step], 1)))
        return torch.stack(logits, 1)


model = Translate().cuda()
opt = torch.optim.Adam(model.parameters())
for _ in range(2):
    lengths = torch.arange(40, 40 - 32, -1).clamp(min=12)
    source = torch.randint(1, 8000, (32, 40))
    for row, n in enumerate(lengths.tolist()):
        source[row, n:] = 0
    target = torch.randint(1, 8000, (32, 25), device="cuda")
    logits = model(source.cuda(), lengths, target)
    loss = F.cross_entropy(logits.flatten(0, 1), target[:, 1:].flatten(), ignore_index=0)
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
