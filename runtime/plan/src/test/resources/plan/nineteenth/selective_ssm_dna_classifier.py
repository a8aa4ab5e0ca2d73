"""A small Mamba-like selective state-space model for long DNA strings, written in plain PyTorch.
The scan runs over chunks; each chunk is recomputed in backward (non-reentrant checkpointing), the state is passed on."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

CFG = dict(d=256, expand=2, state=16, layers=4, conv=4, dt_rank=16, chunk=128)
LENGTH, BATCH, STEPS, CLASSES = 1024, 6, 4, 6
DEV = "cuda"


def chunk_scan(u, dt, A, B, C, h):
    """u, dt: b l e; B, C: b l n; h: b e n. Parallel inside the chunk by log-step (Hillis-Steele) scanning."""
    a = torch.exp(dt.unsqueeze(-1) * A)                    # b l e n
    x = (dt * u).unsqueeze(-1) * B.unsqueeze(2)            # b l e n
    x = torch.cat([x[:, :1] + a[:, :1] * h.unsqueeze(1), x[:, 1:]], 1)
    step = 1
    while step < a.shape[1]:
        x = torch.cat([x[:, :step], x[:, step:] + a[:, step:] * x[:, :-step]], 1)
        a = torch.cat([a[:, :step], a[:, step:] * a[:, :-step]], 1)
        step *= 2
    return (x * C.unsqueeze(2)).sum(-1), x[:, -1]


class SelectiveSSM(nn.Module):
    def __init__(self, d, expand, state, conv, dt_rank, chunk, **_):
        super().__init__()
        e = self.e = d * expand
        self.n, self.r, self.chunk = state, dt_rank, chunk
        self.inp = nn.Linear(d, 2 * e, bias=False)
        self.conv = nn.Conv1d(e, e, conv, padding=conv - 1, groups=e)
        self.xproj = nn.Linear(e, dt_rank + 2 * state, bias=False)
        self.dt = nn.Linear(dt_rank, e)
        nn.init.uniform_(self.dt.bias, -6.0, -2.0)
        self.A_log = nn.Parameter(torch.arange(1, state + 1).float().log().repeat(e, 1))
        self.D = nn.Parameter(torch.ones(e))
        self.out = nn.Linear(e, d, bias=False)

    def forward(self, x):
        b, l, _ = x.shape
        u, z = self.inp(x).chunk(2, -1)
        u = F.silu(self.conv(u.transpose(1, 2))[..., :l].transpose(1, 2))
        r, B, C = self.xproj(u).split([self.r, self.n, self.n], -1)
        dt = F.softplus(self.dt(r))
        A = -self.A_log.exp()
        h = x.new_zeros(b, self.e, self.n)
        ys = []
        for s in range(0, l, self.chunk):
            sl = slice(s, s + self.chunk)
            args = (u[:, sl], dt[:, sl], A, B[:, sl], C[:, sl], h)
            y, h = checkpoint(chunk_scan, *args, use_reentrant=False) if self.training else chunk_scan(*args)
            ys.append(y)
        return self.out((torch.cat(ys, 1) + u * self.D) * F.silu(z))


class DNAModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(5, CFG["d"], padding_idx=4)
        self.norms = nn.ModuleList(nn.LayerNorm(CFG["d"]) for _ in range(CFG["layers"]))
        self.mix = nn.ModuleList(SelectiveSSM(**CFG) for _ in range(CFG["layers"]))
        self.head = nn.Sequential(nn.LayerNorm(CFG["d"]), nn.Linear(CFG["d"], CLASSES))

    def forward(self, ids):
        # the string and its reverse complement share the weights
        x = self.emb(torch.cat([ids, torch.where(ids < 4, 3 - ids, ids).flip(1)]))
        for n, m in zip(self.norms, self.mix):
            x = x + m(n(x))
        fwd, rc = x.mean(1).chunk(2)
        return self.head(fwd + rc)


def batch(gen):
    y = torch.randint(0, CLASSES, (BATCH,), generator=gen)
    ids = torch.randint(0, 4, (BATCH, LENGTH), generator=gen)
    for i, c in enumerate(y.tolist()):
        motif = torch.tensor([(c >> (k % 3)) % 4 for k in range(12)])
        for p in torch.randint(0, LENGTH - 12, (10,), generator=gen).tolist():
            ids[i, p : p + 12] = motif
        tail = int(torch.randint(1, LENGTH // 4, (1,), generator=gen))
        ids[i, LENGTH - tail :] = 4
    return ids.to(DEV), y.to(DEV)


def main():
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(0)
    model = DNAModel().to(DEV)
    no_wd = [p for n, p in model.named_parameters() if n.endswith(("A_log", "D", "bias")) or "norm" in n]
    ids_no = {id(p) for p in no_wd}
    wd = [p for p in model.parameters() if id(p) not in ids_no]
    opt = torch.optim.AdamW([{"params": wd, "weight_decay": 0.1}, {"params": no_wd, "weight_decay": 0.0}], lr=1e-3)
    model.train()
    for step in range(STEPS):
        ids, y = batch(gen)
        loss = F.cross_entropy(model(ids), y, label_smoothing=0.05)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        print(f"step {step} loss {loss.item():.4f} norm {norm.item():.3f} "
              f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    model.eval()
    with torch.inference_mode():
        ids, y = batch(gen)
        print("acc", (model(ids).argmax(1) == y).float().mean().item())


if __name__ == "__main__":
    main()
