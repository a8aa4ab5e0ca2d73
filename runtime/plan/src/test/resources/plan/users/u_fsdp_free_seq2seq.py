import math
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader


class Seq2Seq(nn.Module):
    def __init__(self, v=6000, d=256):
        super().__init__()
        self.src, self.tgt = nn.Embedding(v, d, padding_idx=0), nn.Embedding(v, d, padding_idx=0)
        self.t = nn.Transformer(d, 8, 3, 3, 1024, 0.1, batch_first=True)
        self.out = nn.Linear(d, v)
        self.register_buffer("pe", torch.randn(1, 128, d))

    def forward(self, s, t):
        mask = nn.Transformer.generate_square_subsequent_mask(t.size(1), device=t.device)
        h = self.t(self.src(s) * 16 + self.pe[:, :s.size(1)], self.tgt(t) * 16 + self.pe[:, :t.size(1)], tgt_mask=mask, src_key_padding_mask=(s == 0), tgt_key_padding_mask=(t == 0), memory_key_padding_mask=(s == 0))
        return self.out(h)


def collate(batch):
    return pad_sequence([b[0] for b in batch], batch_first=True), pad_sequence([b[1] for b in batch], batch_first=True)


torch.manual_seed(0)
g = torch.Generator().manual_seed(5)
lengths = torch.randint(12, 60, (96, 2), generator=g)
data = [(torch.randint(1, 6000, (int(a),)), torch.randint(1, 6000, (int(b),))) for a, b in lengths]
loader = DataLoader(data, batch_size=24, collate_fn=collate, num_workers=1)
model = Seq2Seq().cuda()
opt = torch.optim.Adam(model.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: 256 ** -0.5 * min((s + 1) ** -0.5, (s + 1) * 4000 ** -1.5))
crit = nn.CrossEntropyLoss(ignore_index=0, label_smoothing=0.1)
for epoch in range(2):
    model.train()
    total = tokens = 0
    for s, t in loader:
        s, t = s.cuda(), t.cuda()
        logits = model(s, t[:, :-1])
        loss = crit(logits.reshape(-1, logits.size(-1)), t[:, 1:].reshape(-1))
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        n = (t[:, 1:] != 0).sum().item()
        total, tokens = total + loss.item() * n, tokens + n
    print(epoch, "perplexity", math.exp(min(total / tokens, 20)))
model.eval()
with torch.no_grad():
    s = torch.randint(1, 6000, (4, 30), device="cuda")
    t = torch.ones(4, 1, dtype=torch.long, device="cuda")
    for _ in range(10):
        t = torch.cat([t, model(s, t)[:, -1].argmax(-1, keepdim=True)], 1)
print(t.cpu().numpy()[0])
