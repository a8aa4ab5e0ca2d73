"""Conformer-ish acoustic model with CTC. Log-mel features are computed on the GPU with torch.stft."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

SR, N_FFT, HOP, N_MEL = 16000, 512, 160, 80
VOCAB = 64
torch.manual_seed(8)


class ToneUtterances(Dataset):
    """every 'letter' is a tone of its own; utterances run 3-9 seconds"""

    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i + 1)
        letters = torch.randint(1, VOCAB, (int(torch.randint(12, 36, (1,), generator=g)),), generator=g)
        dur = SR // 4
        t = torch.arange(dur) / SR
        wav = torch.cat([torch.sin(2 * math.pi * (200 + 45 * c) * t) for c in letters.tolist()])
        return wav + 0.05 * torch.randn(wav.shape, generator=g), letters


def collate(items):
    wavs, letters = zip(*items)
    return (pad_sequence(wavs, batch_first=True), torch.tensor([len(w) for w in wavs]),
            torch.cat(letters), torch.tensor([len(x) for x in letters]))


def mel_bank():
    hz2mel = lambda f: 2595 * math.log10(1 + f / 700)
    mels = torch.linspace(hz2mel(20), hz2mel(SR / 2), N_MEL + 2)
    hz = 700 * (10 ** (mels / 2595) - 1)
    bins = torch.linspace(0, SR / 2, N_FFT // 2 + 1)
    up = (bins[None] - hz[:-2, None]) / (hz[1:-1] - hz[:-2])[:, None]
    down = (hz[2:, None] - bins[None]) / (hz[2:] - hz[1:-1])[:, None]
    return torch.minimum(up, down).clamp(min=0)


class Frontend(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("fb", mel_bank())
        self.register_buffer("win", torch.hann_window(N_FFT))

    @torch.no_grad()
    def forward(self, wav):
        spec = torch.stft(wav, N_FFT, HOP, window=self.win, return_complex=True).abs().pow(2)
        feat = (self.fb @ spec).clamp(min=1e-6).log().transpose(1, 2)
        return (feat - feat.mean(1, keepdim=True)) / (feat.std(1, keepdim=True) + 1e-5)


class ConformerBlock(nn.Module):
    def __init__(self, d, heads, k=15, p=0.1):
        super().__init__()
        ff = lambda: nn.Sequential(nn.LayerNorm(d), nn.Linear(d, 4 * d), nn.SiLU(), nn.Dropout(p), nn.Linear(4 * d, d))
        self.ff1, self.ff2 = ff(), ff()
        self.ln_a, self.attn = nn.LayerNorm(d), nn.MultiheadAttention(d, heads, dropout=p, batch_first=True)
        self.ln_c = nn.LayerNorm(d)
        self.pw1, self.dw = nn.Conv1d(d, 2 * d, 1), nn.Conv1d(d, d, k, padding=k // 2, groups=d)
        self.bn, self.pw2 = nn.BatchNorm1d(d), nn.Conv1d(d, d, 1)
        self.out = nn.LayerNorm(d)

    def forward(self, x, mask):
        x = x + 0.5 * self.ff1(x)
        h = self.ln_a(x)
        x = x + self.attn(h, h, h, key_padding_mask=mask, need_weights=False)[0]
        h = F.glu(self.pw1(self.ln_c(x).transpose(1, 2)), dim=1)
        x = x + self.pw2(F.silu(self.bn(self.dw(h)))).transpose(1, 2)
        return self.out(x + 0.5 * self.ff2(x))


class Model(nn.Module):
    def __init__(self, d=320, layers=8, heads=8):
        super().__init__()
        self.sub = nn.Sequential(nn.Conv2d(1, 96, 3, 2, 1), nn.ReLU(), nn.Conv2d(96, 96, 3, 2, 1), nn.ReLU())
        self.proj = nn.Linear(96 * (N_MEL // 4), d)
        self.blocks = nn.ModuleList(ConformerBlock(d, heads) for _ in range(layers))
        self.head = nn.Linear(d, VOCAB)

    def forward(self, feat, flen):
        x = self.sub(feat.unsqueeze(1))
        x = self.proj(x.permute(0, 2, 1, 3).flatten(2))
        olen = torch.div(torch.div(flen + 1, 2, rounding_mode="floor") + 1, 2, rounding_mode="floor").clamp(max=x.size(1))
        mask = torch.arange(x.size(1), device=x.device)[None] >= olen[:, None]
        for b in self.blocks:
            x = b(x, mask)
        return self.head(x).log_softmax(-1), olen


if __name__ == "__main__":
    dev = "cuda"
    front, model = Frontend().to(dev), Model().to(dev)
    opt = torch.optim.RAdam(model.parameters(), lr=5e-4, weight_decay=1e-3)
    loader = DataLoader(ToneUtterances(50), batch_size=10, collate_fn=collate)
    ctc = nn.CTCLoss(blank=0, zero_infinity=True)
    for step, (wav, wlen, tgt, tlen) in enumerate(loader):
        feat = front(wav.to(dev))
        logp, olen = model(feat, (wlen // HOP + 1).to(dev))
        loss = ctc(logp.transpose(0, 1), tgt.to(dev), olen, tlen.to(dev))
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        opt.step()
        print(f"{step} loss {loss.item():.3f} frames {feat.shape[1]} peak {torch.cuda.max_memory_allocated() / 1e6:.0f}MB")
