import torch
import torch.nn as nn
import torch.nn.functional as F

# Graph attention network without any graph library: gather -> edge softmax (scatter_reduce) -> index_add

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

N = 100_000
E = 1_000_000
IN = 128
HEADS, HID = 4, 32
CLASSES = 40


def random_graph():
    src = torch.randint(0, N, (E,), device=device)
    # preferential-ish targets
    dst = (torch.rand(E, device=device).pow(2) * N).long()
    loops = torch.arange(N, device=device)
    return torch.cat([src, loops]), torch.cat([dst, loops])


def edge_softmax(score, dst, n):
    idx = dst[:, None].expand_as(score)
    mx = torch.full((n, score.size(1)), float("-inf"), device=score.device)
    mx = mx.scatter_reduce(0, idx, score.detach(), reduce="amax")
    ex = (score - mx[dst]).exp()
    den = torch.zeros(n, score.size(1), device=score.device).index_add(0, dst, ex)
    return ex / (den[dst] + 1e-9)


class GATLayer(nn.Module):
    def __init__(self, cin, cout, heads, concat=True):
        super().__init__()
        self.h, self.c, self.concat = heads, cout, concat
        self.lin = nn.Linear(cin, heads * cout, bias=False)
        self.a_src = nn.Parameter(torch.randn(heads, cout) * 0.1)
        self.a_dst = nn.Parameter(torch.randn(heads, cout) * 0.1)
        self.bias = nn.Parameter(torch.zeros(heads * cout if concat else cout))

    def forward(self, x, src, dst):
        n = x.size(0)
        z = self.lin(x).view(n, self.h, self.c)
        s = (z * self.a_src).sum(-1)
        d = (z * self.a_dst).sum(-1)
        alpha = edge_softmax(F.leaky_relu(s[src] + d[dst], 0.2), dst, n)
        alpha = F.dropout(alpha, 0.3, self.training)
        msg = z[src] * alpha.unsqueeze(-1)
        out = torch.zeros_like(z).index_add(0, dst, msg)
        out = out.flatten(1) if self.concat else out.mean(1)
        return out + self.bias


class GAT(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = GATLayer(IN, HID, HEADS)
        self.l2 = GATLayer(HID * HEADS, HID, HEADS)
        self.l3 = GATLayer(HID * HEADS, CLASSES, 2, concat=False)
        self.n1, self.n2 = nn.BatchNorm1d(HID * HEADS), nn.BatchNorm1d(HID * HEADS)

    def forward(self, x, src, dst):
        x = F.dropout(F.elu(self.n1(self.l1(x, src, dst))), 0.5, self.training)
        x = F.dropout(F.elu(self.n2(self.l2(x, src, dst)) + x), 0.5, self.training)
        return self.l3(x, src, dst)


src, dst = random_graph()
feat = torch.randn(N, IN, device=device)
label = torch.randint(0, CLASSES, (N,), device=device)
perm = torch.randperm(N, device=device)
train_idx, val_idx = perm[: N // 2], perm[N // 2: N // 2 + N // 4]

model = GAT().to(device)
opt = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=5e-4)
for epoch in range(3):
    model.train()
    out = model(feat, src, dst)
    loss = F.cross_entropy(out[train_idx], label[train_idx])
    opt.zero_grad()
    loss.backward()
    opt.step()

    model.eval()
    with torch.no_grad():
        pred = model(feat, src, dst).argmax(1)
    acc = lambda i: (pred[i] == label[i]).float().mean().item()
    print("Epoch %d | loss %.4f | train %.4f | val %.4f" % (epoch, loss.item(), acc(train_idx), acc(val_idx)))
