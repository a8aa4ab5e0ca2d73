# limit: 2.0
"""Person re-identification: short training run and then mAP/CMC on the full test split."""
import torch
import torch.nn as nn
import torchvision

torch.manual_seed(20)


class ReID(nn.Module):
    def __init__(self, ids=200, dim=128):
        super().__init__()
        net = torchvision.models.resnet18(weights=None)
        net.fc = nn.Linear(512, dim)
        self.net, self.cls = net, nn.Linear(dim, ids)

    def forward(self, x):
        e = self.net(x)
        return e, self.cls(e)


class Evaluator:
    def __init__(self, n_query, n_gallery, n_ids):
        self.nq, self.ng, self.n_ids = n_query, n_gallery, n_ids

    @torch.no_grad()
    def embed(self, model, n, seed):
        g = torch.Generator(device="cuda").manual_seed(seed)
        out = []
        for s in range(0, n, 500):
            x = torch.rand(min(500, n - s), 3, 32, 16, device="cuda", generator=g)
            out.append(model(x)[0])
        ids = torch.randint(0, self.n_ids, (n,), device="cuda", generator=g)
        return nn.functional.normalize(torch.cat(out)), ids

    def __call__(self, model):
        model.eval()
        q, qid = self.embed(model, self.nq, 1)
        g, gid = self.embed(model, self.ng, 2)
        print("embedded", q.shape, g.shape, flush=True)
        dist = torch.cdist(q, g)
        top = dist.topk(10, dim=1, largest=False).indices
        hit = gid[top] == qid[:, None]
        return {"rank1": hit[:, 0].float().mean().item(), "rank10": hit.any(1).float().mean().item()}


def train(model, steps):
    model.train()
    opt = torch.optim.Adam(model.parameters(), lr=3e-4)
    for i in range(steps):
        x = torch.rand(32, 3, 128, 64, device="cuda")
        y = torch.randint(0, 200, (32,), device="cuda")
        loss = nn.functional.cross_entropy(model(x)[1], y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print("loss", loss.item(), flush=True)


model = ReID().cuda()
quick = Evaluator(1000, 4000, 200)
full = Evaluator(20000, 40000, 200)
for epoch in range(3):
    train(model, 15)
    print("quick", quick(model))
print("full", full(model))
