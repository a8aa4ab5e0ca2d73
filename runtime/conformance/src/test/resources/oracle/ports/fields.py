"""Four programs of different fields as one writes them; Fields.java.txt is the same, line by line.

usage: python -m vramlab_trace --device H200 -o FIELD.trace fields.py FIELD
"""
import math
import sys
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.distributions as D

dev = 'cuda'


class Mixture(nn.Module):
    """A density of several bumps."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(64, 512), nn.ELU(), nn.Linear(512, 512), nn.ELU())
        self.weights = nn.Linear(512, 20)
        self.places = nn.Linear(512, 20)
        self.widths = nn.Linear(512, 20)

    def forward(self, x):
        h = self.body(x)
        return D.MixtureSameFamily(D.Categorical(logits=self.weights(h)),
                                   D.Normal(self.places(h), F.softplus(self.widths(h)) + 1e-3))


def mixture():
    net = Mixture().to(dev)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 10)
    for step in range(3):
        x = torch.randn(20000, 64, device=dev)
        y = torch.randn(20000, device=dev)
        loss = -net(x).log_prob(y).mean()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
    with torch.no_grad():
        drawn = net(x).sample()


class Counts(nn.Module):
    """Counts of genes: an encoder, a normal code, a negative binomial."""

    def __init__(self, genes, hidden, code):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(genes, hidden), nn.BatchNorm1d(hidden), nn.ReLU())
        self.mean = nn.Linear(hidden, code)
        self.log_var = nn.Linear(hidden, code)
        self.decoder = nn.Sequential(nn.Linear(code, hidden), nn.BatchNorm1d(hidden), nn.ReLU())
        self.logits = nn.Linear(hidden, genes)
        self.log_r = nn.Parameter(torch.zeros(genes))

    def forward(self, x):
        h = self.encoder(torch.log1p(x))
        q = D.Normal(self.mean(h), (0.5 * self.log_var(h)).exp())
        z = q.rsample()
        p = D.NegativeBinomial(self.log_r.exp(), logits=self.logits(self.decoder(z)))
        kl = D.kl_divergence(q, D.Normal(torch.zeros_like(z), torch.ones_like(z))).sum(-1)
        return (kl - p.log_prob(x).sum(-1)).mean()


def counts():
    net = Counts(2000, 256, 32).to(dev)
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=1e-4)
    for step in range(3):
        x = torch.poisson(torch.rand(512, 2000, device=dev) * 5)
        loss = net(x)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Gin(nn.Module):
    """Sums over neighbours."""

    def __init__(self, width, out):
        super().__init__()
        self.eps = nn.Parameter(torch.zeros(1))
        self.mlp = nn.Sequential(nn.Linear(width, out), nn.BatchNorm1d(out), nn.ReLU(), nn.Linear(out, out))

    def forward(self, x, edges):
        summed = torch.zeros_like(x).index_add_(0, edges[1], x[edges[0]])
        return self.mlp((1 + self.eps) * x + summed)


class Graphs(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Gin(64, 128), Gin(128, 128), Gin(128, 128)])
        self.head = nn.Linear(128, 10)

    def forward(self, x, edges, graph, many):
        for layer in self.layers:
            x = F.dropout(F.relu(layer(x, edges)), 0.5, self.training)
        pooled = torch.zeros(many, x.size(1), device=x.device).index_add(0, graph, x)
        size = torch.zeros(many, device=x.device).index_add(0, graph, torch.ones_like(graph, dtype=x.dtype))
        return self.head(pooled / size.clamp(min=1).unsqueeze(-1))


def graphs():
    net = Graphs().to(dev)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, nesterov=True)
    x = torch.randn(30000, 64, device=dev)
    edges = torch.randint(0, 30000, (2, 200000), device=dev)
    graph = torch.arange(30000, device=dev) // 100
    target = torch.randint(0, 10, (300,), device=dev)
    for step in range(3):
        logits = net(x, edges, graph, 300)
        loss = F.cross_entropy(logits, target, label_smoothing=0.1)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Lora(nn.Module):
    """A frozen layer and what is learnt beside it."""

    def __init__(self, base, rank, alpha):
        super().__init__()
        self.base = base
        self.base.weight.requires_grad_(False)
        self.base.bias.requires_grad_(False)
        self.down = nn.Parameter(torch.empty(rank, base.in_features))
        self.up = nn.Parameter(torch.zeros(base.out_features, rank))
        nn.init.kaiming_uniform_(self.down, a=math.sqrt(5))
        self.scale = alpha / rank

    def forward(self, x):
        return self.base(x) + (x @ self.down.t() @ self.up.t()) * self.scale


def lora():
    layer = nn.TransformerEncoderLayer(256, 8, 1024, dropout=0.1, batch_first=True, norm_first=True)
    net = nn.TransformerEncoder(layer, 4, enable_nested_tensor=False)
    for p in net.parameters():
        p.requires_grad_(False)
    for block in net.layers:
        block.linear1 = Lora(block.linear1, 8, 16)
        block.linear2 = Lora(block.linear2, 8, 16)
    net = net.to(dev)
    trained = [p for p in net.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=1e-4)
    mask = nn.Transformer.generate_square_subsequent_mask(128, device=dev)
    for step in range(3):
        x = torch.randn(16, 128, 256, device=dev)
        loss = (net(x, mask=mask) - x).pow(2).mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()


globals()[sys.argv[1]]()
