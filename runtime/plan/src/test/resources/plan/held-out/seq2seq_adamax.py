import torch, torch.nn as nn
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(s):
        super().__init__(); s.src, s.tgt = nn.Embedding(9000, 320), nn.Embedding(9000, 320)
        s.t = nn.Transformer(320, 5, 3, 3, 1280, dropout=0.1, batch_first=True); s.out = nn.Linear(320, 9000)
    def forward(s, a, b):
        m = nn.Transformer.generate_square_subsequent_mask(b.shape[1], device=b.device)
        return s.out(s.t(s.src(a), s.tgt(b), tgt_mask=m, tgt_is_causal=True))
model = Net().cuda().train()
opt = torch.optim.Adamax(model.parameters(), lr=1e-3)
for step in range(2):
    a = torch.randint(0, 9000, (14, 70), device="cuda"); b = torch.randint(0, 9000, (14, 61), device="cuda")
    out = model(a, b[:, :-1])
    loss = nn.functional.cross_entropy(out.reshape(-1, 9000), b[:, 1:].reshape(-1), ignore_index=0)
    opt.zero_grad(); loss.backward(); opt.step()
