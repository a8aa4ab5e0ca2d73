import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Tagger(nn.Module):
    def __init__(self, vocab=7000, size=160):
        super().__init__()
        self.embed, self.drop = nn.Embedding(vocab, size, padding_idx=0), nn.Dropout(0.3)
        self.rnn = nn.LSTM(size, 200, num_layers=2, bidirectional=True, batch_first=True, dropout=0.2)
        self.out = nn.Linear(400, 18)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(self.drop(self.embed(x)), lengths, batch_first=True, enforce_sorted=True)
        h, _ = pad_packed_sequence(self.rnn(packed)[0], batch_first=True)
        return self.out(self.drop(h))


torch.manual_seed(0)
model = Tagger().cuda()
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
lengths = torch.tensor([48, 46, 45, 41, 40, 38, 37, 30, 29, 25, 22, 18])
for step in range(3):
    x = torch.randint(1, 7000, (12, 48), device="cuda")
    y = torch.randint(0, 18, (12, 48), device="cuda")
    loss = nn.functional.cross_entropy(model(x, lengths).transpose(1, 2), y)
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    opt.step()
