# limit: 2.0
# kNN evaluation of a self-supervised encoder: embed the train set, then vote.
import torch
import torch.nn as nn
import torch.nn.functional as F

cuda = torch.device("cuda")
torch.manual_seed(5)

encoder = nn.Sequential(
    nn.Linear(768, 1024), nn.GELU(),
    nn.Linear(1024, 1024),
).to(cuda).eval()

CHUNK = 8192
N_CHUNKS = 100


def chunk(i):
    g = torch.Generator().manual_seed(i)
    return torch.randn(CHUNK, 768, generator=g), torch.randint(0, 100, (CHUNK,), generator=g)


# ---- build the bank -------------------------------------------------------
bank = torch.empty(0, 1024, device=cuda)
bank_y = torch.empty(0, dtype=torch.long, device=cuda)
with torch.no_grad():
    for i in range(N_CHUNKS):
        x, y = chunk(i)
        z = F.normalize(encoder(x.to(cuda)), dim=1)
        bank = torch.cat([bank, z], dim=0)
        bank_y = torch.cat([bank_y, y.to(cuda)])
        if i % 10 == 9:
            print("bank", tuple(bank.shape))

# ---- vote -----------------------------------------------------------------
hits = total = 0
with torch.no_grad():
    for i in range(3):
        x, y = chunk(10_000 + i)
        q = F.normalize(encoder(x[:256].to(cuda)), dim=1)
        sim = q @ bank.T
        top = sim.topk(20, dim=1).indices
        pred = bank_y[top].mode(dim=1).values
        hits += (pred.cpu() == y[:256]).sum().item()
        total += 256
print("knn acc", hits / total)
