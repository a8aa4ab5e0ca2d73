# limit: 1.5
"""Chunk-wise encoder with memory tokens passed from chunk to chunk (streaming ASR pretraining)."""
import torch
import torch.nn as nn

torch.manual_seed(21)
device = "cuda"
B, CHUNK, MEM, DIM = 16, 128, 16, 256


class ChunkEncoder(nn.Module):
    def __init__(self, layers=3):
        super().__init__()
        self.inp = nn.Linear(80, DIM)
        layer = nn.TransformerEncoderLayer(DIM, 4, 4 * DIM, dropout=0.1, batch_first=True)
        self.enc = nn.TransformerEncoder(layer, layers)
        self.rec = nn.Linear(DIM, 80)
        self.mem0 = nn.Parameter(torch.zeros(1, MEM, DIM))

    def forward(self, chunk, mem):
        if mem is None:
            mem = self.mem0.expand(chunk.size(0), -1, -1)
        h = self.enc(torch.cat([mem, self.inp(chunk)], 1))
        return self.rec(h[:, MEM:]), h[:, :MEM]


class Recording:
    """Pretend reader: fixed-size chunks of one long recording."""

    def __init__(self, n_chunks, seed):
        self.g = torch.Generator(device=device).manual_seed(seed)
        self.n = n_chunks

    def __iter__(self):
        for _ in range(self.n):
            yield torch.randn(B, CHUNK, 80, device=device, generator=self.g)


def fit_recording(model, opt, rec):
    mem, total = None, 0.0
    opt.zero_grad()
    for i, chunk in enumerate(rec):
        pred, mem = model(chunk, mem)
        loss = (pred[:, :-1] - chunk[:, 1:]).pow(2).mean()
        loss.backward(retain_graph=True)
        total += loss.item()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    return total / (i + 1)


model = ChunkEncoder().to(device)
opt = torch.optim.AdamW(model.parameters(), lr=3e-4)
lengths = [2, 3, 3, 4, 3, 40, 30, 40]
for k, n in enumerate(lengths):
    print(f"recording {k} ({n} chunks)", flush=True)
    print("   loss", fit_recording(model, opt, Recording(n, k)))
