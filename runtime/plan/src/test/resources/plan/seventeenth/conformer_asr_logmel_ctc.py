"""Conformer encoder with CTC in plain PyTorch.  Log-mel features are computed on the GPU (STFT + mel matrix by hand),
SpecAugment, utterances sorted into buckets by length, Noam schedule."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

DEV = "cuda"
SR, N_FFT, HOP, MELS = 16000, 400, 160, 80
DIM, HEADS, LAYERS, KERNEL = 256, 4, 8, 31
VOCAB = 500
MAX_SEC = 14.0
BATCH_SECONDS = 200   # seconds of speech per batch
UTTS = 64


def mel_matrix():
    def to_mel(f): return 2595 * math.log10(1 + f / 700)
    pts = torch.linspace(to_mel(0), to_mel(SR / 2), MELS + 2)
    hz = 700 * (10 ** (pts / 2595) - 1)
    bins = torch.linspace(0, SR / 2, N_FFT // 2 + 1)
    up = (bins[None] - hz[:-2, None]) / (hz[1:-1] - hz[:-2])[:, None]
    down = (hz[2:, None] - bins[None]) / (hz[2:] - hz[1:-1])[:, None]
    return torch.minimum(up, down).clamp(min=0)


class LogMel(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("fb", mel_matrix())
        self.register_buffer("win", torch.hann_window(N_FFT))

    @torch.no_grad()
    def forward(self, wav):
        s = torch.stft(wav, N_FFT, HOP, window=self.win, return_complex=True).abs().pow(2)
        m = (self.fb @ s).clamp(min=1e-10).log()
        m = (m - m.mean(-1, keepdim=True)) / (m.std(-1, keepdim=True) + 1e-5)
        if self.training:
            for _ in range(2):
                f0 = int(torch.randint(0, MELS - 20, ()))
                m[:, f0:f0 + 20] = 0
                t0 = int(torch.randint(0, m.size(2) - 10, ()))
                m[:, :, t0:t0 + 10] = 0
        return m.transpose(1, 2)


class FF(nn.Sequential):
    def __init__(self):
        super().__init__(nn.LayerNorm(DIM), nn.Linear(DIM, 4 * DIM), nn.SiLU(), nn.Dropout(0.1), nn.Linear(4 * DIM, DIM))


class ConvModule(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln = nn.LayerNorm(DIM)
        self.p1 = nn.Conv1d(DIM, 2 * DIM, 1)
        self.dw = nn.Conv1d(DIM, DIM, KERNEL, padding=KERNEL // 2, groups=DIM)
        self.bn = nn.BatchNorm1d(DIM)
        self.p2 = nn.Conv1d(DIM, DIM, 1)

    def forward(self, x, mask):
        x = self.ln(x).transpose(1, 2)
        x = F.glu(self.p1(x), 1).masked_fill(mask[:, None], 0)
        return self.p2(F.silu(self.bn(self.dw(x)))).transpose(1, 2)


class ConformerBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.f1, self.f2, self.conv = FF(), FF(), ConvModule()
        self.ln, self.out = nn.LayerNorm(DIM), nn.LayerNorm(DIM)
        self.att = nn.MultiheadAttention(DIM, HEADS, dropout=0.1, batch_first=True)

    def forward(self, x, mask):
        x = x + 0.5 * self.f1(x)
        h = self.ln(x)
        x = x + self.att(h, h, h, key_padding_mask=mask, need_weights=False)[0]
        x = x + self.conv(x, mask)
        return self.out(x + 0.5 * self.f2(x))


class Conformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.fe = LogMel()
        self.sub = nn.Sequential(nn.Conv2d(1, 128, 3, 2, 1), nn.ReLU(), nn.Conv2d(128, 128, 3, 2, 1), nn.ReLU())
        self.inp = nn.Linear(128 * MELS // 4, DIM)
        self.blocks = nn.ModuleList(ConformerBlock() for _ in range(LAYERS))
        self.head = nn.Linear(DIM, VOCAB)

    def forward(self, wav, lens):
        x = self.sub(self.fe(wav)[:, None])
        x = self.inp(x.permute(0, 2, 1, 3).flatten(2))
        n = (lens // HOP // 4).clamp(max=x.size(1))
        mask = torch.arange(x.size(1), device=x.device)[None] >= n[:, None]
        for b in self.blocks:
            x = b(x, mask)
        return self.head(x).log_softmax(-1), n


def batches():
    sec = torch.sort(1.5 + torch.rand(UTTS) * (MAX_SEC - 1.5)).values.tolist()
    cur = []
    for s in sec:
        if cur and s * (len(cur) + 1) > BATCH_SECONDS:
            yield cur
            cur = []
        cur.append(s)
    yield cur


torch.manual_seed(31)
model = Conformer().to(DEV).train()
opt = torch.optim.Adam(model.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: DIM ** -0.5 * min((s + 1) ** -0.5, (s + 1) * 1000 ** -1.5))
ctc = nn.CTCLoss(zero_infinity=True)
for i, secs in enumerate(batches()):
    lens = torch.tensor([int(s * SR) for s in secs])
    wav = torch.randn(len(secs), int(lens.max())) * (torch.arange(int(lens.max()))[None] < lens[:, None])
    tl = torch.tensor([max(1, int(s * 4)) for s in secs])
    tgt = torch.randint(1, VOCAB, (int(tl.sum()),))
    with torch.autocast(DEV, dtype=torch.bfloat16):
        lp, n = model(wav.to(DEV), lens.to(DEV))
    loss = ctc(lp.float().transpose(0, 1), tgt.to(DEV), n, tl.to(DEV))
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    opt.step()
    sched.step()
    print(f"batch {i}: {len(secs)} x {max(secs):.1f}s ctc {loss.item():.3f} max {torch.cuda.max_memory_allocated() >> 20} MiB")
