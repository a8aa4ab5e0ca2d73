# limit: 4
"""Recall@k of an embedding network on a gallery (metric learning evaluation)."""
import torch
import torch.nn as nn

torch.manual_seed(0)
device = torch.device("cuda")
net = nn.Sequential(nn.Linear(256, 512), nn.ReLU(), nn.Linear(512, 128)).to(device).eval()


@torch.no_grad()
def embed(n):
    out = torch.empty(n, 128, device=device)
    for s in range(0, n, 4096):
        e = min(s + 4096, n)
        out[s:e] = nn.functional.normalize(net(torch.randn(e - s, 256, device=device)), dim=1)
    return out


def recall_at_k(queries, q_labels, gallery, g_labels, ks=(1, 5, 10)):
    dist = torch.cdist(queries, gallery)
    idx = dist.topk(max(ks), largest=False).indices
    hits = g_labels[idx] == q_labels[:, None]
    return {k: hits[:, :k].any(1).float().mean().item() for k in ks}


gallery = embed(80_000)
queries = embed(20_000)
g_labels = torch.randint(0, 5000, (80_000,), device=device)
q_labels = torch.randint(0, 5000, (20_000,), device=device)
print("embedded", gallery.shape, queries.shape)
print(recall_at_k(queries, q_labels, gallery, g_labels))
