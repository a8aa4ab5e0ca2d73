# limit: 6
"""Small multilingual language model with a big shared vocabulary."""
import torch
import torch.nn as nn
import torch.nn.functional as F

V, D, L, T, B = 128256, 256, 4, 1024, 8


class TinyLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok = nn.Embedding(V, D)
        self.pos = nn.Parameter(torch.zeros(1, T, D))
        layer = nn.TransformerEncoderLayer(D, 4, 4 * D, dropout=0.0, batch_first=True, norm_first=True)
        self.blocks = nn.TransformerEncoder(layer, L, enable_nested_tensor=False)
        self.lm_head = nn.Linear(D, V, bias=False)

    def forward(self, ids, targets=None):
        x = self.tok(ids) + self.pos[:, : ids.size(1)]
        mask = nn.Transformer.generate_square_subsequent_mask(ids.size(1), device=ids.device)
        x = self.blocks(x, mask=mask, is_causal=True)
        logits = self.lm_head(x)
        loss = F.cross_entropy(logits.view(-1, V), targets.reshape(-1))
        return loss


torch.manual_seed(0)
lm = TinyLM().cuda()
opt = torch.optim.SGD(lm.parameters(), lr=0.1)
for it in range(10):
    seq = torch.randint(0, V, (B, T + 1), device="cuda")
    loss = lm(seq[:, :-1], seq[:, 1:])
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(it, loss.item())
