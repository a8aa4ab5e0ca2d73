import torch
import torch.nn as nn
torch.manual_seed(0)


class Classifier(nn.Module):
    def __init__(self, vocab=10000, d=288):
        super().__init__()
        self.embed, self.pos = nn.Embedding(vocab, d), nn.Parameter(torch.zeros(1, 128, d))
        self.enc = nn.TransformerEncoder(nn.TransformerEncoderLayer(d, 6, 1152, 0.1, "gelu", batch_first=True, norm_first=True), 4, nn.LayerNorm(d), enable_nested_tensor=False)
        self.out = nn.Linear(d, 4)

    def forward(self, ids, pad):
        h = self.enc(self.embed(ids) + self.pos[:, :ids.shape[1]], src_key_padding_mask=pad)
        h = h.masked_fill(pad[..., None], 0).sum(1) / (~pad).sum(1, keepdim=True)
        return self.out(h)


model = Classifier().cuda()
opt = torch.optim.Adafactor(model.parameters(), lr=1e-2)
for step in range(3):
    lengths = torch.randint(30, 110, (18,))
    pad = (torch.arange(110)[None] >= lengths[:, None]).cuda()
    ids, y = torch.randint(0, 10000, (18, 110), device="cuda"), torch.randint(0, 4, (18,), device="cuda")
    loss = nn.functional.cross_entropy(model(ids, pad), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
model.eval()
with torch.inference_mode():
    print(model(ids, pad).argmax(-1).float().mean().item())
