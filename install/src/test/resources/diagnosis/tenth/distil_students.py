# limit: 5
import torch
import torch.nn as nn
import torch.nn.functional as F

V, SEQ, BATCH, T = 50_000, 512, 16, 2.0


class TinyLM(nn.Module):
    def __init__(self, d, layers):
        super().__init__()
        self.emb = nn.Embedding(V, d)
        self.layers = nn.ModuleList(nn.Sequential(nn.LayerNorm(d), nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d)) for _ in range(layers))
        self.head = nn.Linear(d, V, bias=False)

    def forward(self, ids):
        x = self.emb(ids)
        for layer in self.layers:
            x = x + layer(x.cumsum(1) / torch.arange(1, x.shape[1] + 1, device=x.device).view(1, -1, 1))
        return self.head(x)


class Distiller:
    def __init__(self, teacher, student, alpha=0.7):
        self.teacher, self.student, self.alpha = teacher.eval(), student, alpha
        self.opt = torch.optim.Adam(student.parameters(), lr=1e-3)

    def loss(self, ids):
        with torch.no_grad():
            t = self.teacher(ids)
        s = self.student(ids)
        kd = F.kl_div(F.log_softmax(s / T, -1), F.softmax(t / T, -1), reduction="batchmean") * T * T
        ce = F.cross_entropy(s[:, :-1].reshape(-1, V), ids[:, 1:].reshape(-1))
        return self.alpha * kd + (1 - self.alpha) * ce

    def step(self, ids):
        loss = self.loss(ids)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


teacher, student = TinyLM(384, 6).cuda(), TinyLM(128, 3).cuda()
distiller = Distiller(teacher, student)
for i in range(30):
    ids = torch.randint(0, V, (BATCH, SEQ), device="cuda")
    print(i, distiller.step(ids))
