import torch, torch.nn as nn
torch.manual_seed(0)
class Layer(nn.Module):
    def __init__(self, d=256, h=4):
        super().__init__()
        self.h, self.q, self.k, self.v, self.o = h, nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        self.n1, self.n2, self.up, self.down, self.drop = nn.LayerNorm(d), nn.LayerNorm(d), nn.Linear(d, 4 * d), nn.Linear(4 * d, d), nn.Dropout(0.1)
    def forward(self, x):
        y = self.n1(x)
        q, k, v = (p(y).unflatten(-1, [self.h, -1]).transpose(1, 2) for p in (self.q, self.k, self.v))
        y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(-2)
        x = x + self.drop(self.o(y))
        return x + self.drop(self.down(torch.relu(self.up(self.n2(x)))))
emb, layers, head = nn.Embedding(5000, 256).cuda(), nn.ModuleList(Layer() for _ in range(3)).cuda(), nn.Linear(256, 2).cuda()
opt = torch.optim.AdamW([*emb.parameters(), *layers.parameters(), *head.parameters()], 1e-4)
for i in range(3):
    seqs = [torch.randint(0, 5000, (int(n),), device="cuda") for n in torch.randint(20, 200, (32,))]
    t = torch.nested.nested_tensor(seqs, layout=torch.jagged)
    with torch.autocast("cuda", torch.bfloat16):
        x = emb(t)
        for l in layers: x = l(x)
        pooled = torch.stack([part.mean(0) for part in x.unbind()])
        loss = nn.functional.cross_entropy(head(pooled), torch.randint(0, 2, (32,), device="cuda"))
    opt.zero_grad(); loss.backward(); opt.step()
    padded = torch.nested.to_padded_tensor(x.detach(), 0.0)
