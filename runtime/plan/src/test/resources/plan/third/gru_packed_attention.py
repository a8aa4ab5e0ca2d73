import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Reader(nn.Module):
    def __init__(self, vocab=9000, size=192):
        super().__init__()
        self.embed, self.rnn = nn.Embedding(vocab, size, padding_idx=0), nn.GRU(size, size, bidirectional=True, batch_first=True)
        self.attend, self.out = nn.MultiheadAttention(2 * size, 6, batch_first=True, dropout=0.1), nn.Linear(2 * size, 5)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(self.embed(x), lengths, batch_first=True, enforce_sorted=False)
        h, _ = pad_packed_sequence(self.rnn(packed)[0], batch_first=True)
        mask = torch.arange(h.shape[1], device=x.device)[None] >= lengths.to(x.device)[:, None]
        h = h + self.attend(h, h, h, key_padding_mask=mask, need_weights=False)[0]
        return self.out(h.masked_fill(mask[..., None], float("-inf")).max(1).values)


torch.manual_seed(0)
model = Reader().cuda()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
lengths = torch.tensor([60, 58, 52, 50, 44, 40, 40, 33, 30, 28, 25, 20, 18, 12, 9, 5])
for step in range(3):
    x, y = torch.randint(1, 9000, (16, 60), device="cuda"), torch.randint(0, 5, (16,), device="cuda")
    loss = nn.functional.cross_entropy(model(x, lengths), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
