"""DeepSpeech-like CTC training: log-mel by torch.stft, SpecAugment, conv front end, packed BiLSTM, greedy WER proxy."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
from torch.utils.data import DataLoader, Dataset

SR, N_FFT, HOP, N_MELS = 16000, 400, 160, 80
MIN_SEC, MAX_SEC = 2.0, 9.0
N_CHARS = 29
HIDDEN, LAYERS = 640, 4
BATCH = 16
N_UTT = 96


class Utterances(Dataset):
    def __init__(self, n, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.dur = (MIN_SEC + (MAX_SEC - MIN_SEC) * torch.rand(n, generator=g)) * SR
        self.seed = seed

    def __len__(self):
        return len(self.dur)

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(self.seed * 7919 + i)
        n = int(self.dur[i])
        wav = torch.randn(n, generator=g) * 0.05 + 0.2 * torch.sin(torch.arange(n) * 2 * math.pi * (100 + 5 * i) / SR)
        text = torch.randint(1, N_CHARS, (max(4, n // 2400),), generator=g)
        return wav, text


def collate(batch):
    batch = sorted(batch, key=lambda b: -len(b[0]))
    wavs, texts = zip(*batch)
    return (pad_sequence(wavs, batch_first=True), torch.tensor([len(w) for w in wavs]),
            torch.cat(texts), torch.tensor([len(t) for t in texts]))


def mel_filterbank():
    def to_mel(f):
        return 2595 * math.log10(1 + f / 700)
    mels = torch.linspace(to_mel(0), to_mel(SR / 2), N_MELS + 2)
    hz = 700 * (10 ** (mels / 2595) - 1)
    bins = torch.linspace(0, SR / 2, N_FFT // 2 + 1)
    lo, mid, hi = hz[:-2, None], hz[1:-1, None], hz[2:, None]
    return torch.minimum((bins - lo) / (mid - lo), (hi - bins) / (hi - mid)).clamp_min(0)


class Featurizer(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("fb", mel_filterbank())
        self.register_buffer("window", torch.hann_window(N_FFT))

    @torch.no_grad()
    def forward(self, wav):
        spec = torch.stft(wav, N_FFT, HOP, window=self.window, return_complex=True).abs().square()
        mel = (self.fb @ spec).clamp_min(1e-10).log()
        mel = (mel - mel.mean((1, 2), keepdim=True)) / (mel.std((1, 2), keepdim=True) + 1e-5)
        if self.training:
            for _ in range(2):
                t0 = int(torch.randint(0, max(1, mel.size(2) - 40), (1,)))
                mel[:, :, t0:t0 + int(torch.randint(1, 40, (1,)))] = 0
                f0 = int(torch.randint(0, N_MELS - 15, (1,)))
                mel[:, f0:f0 + int(torch.randint(1, 15, (1,)))] = 0
        return mel


class DeepSpeech(nn.Module):
    def __init__(self):
        super().__init__()
        self.feat = Featurizer()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 32, (41, 11), stride=(2, 2), padding=(20, 5)), nn.BatchNorm2d(32), nn.Hardtanh(0, 20, inplace=True),
            nn.Conv2d(32, 32, (21, 11), stride=(2, 1), padding=(10, 5)), nn.BatchNorm2d(32), nn.Hardtanh(0, 20, inplace=True))
        self.rnn = nn.LSTM(32 * N_MELS // 4, HIDDEN, LAYERS, bidirectional=True, batch_first=True, dropout=0.1)
        self.fc = nn.Sequential(nn.LayerNorm(2 * HIDDEN), nn.Linear(2 * HIDDEN, N_CHARS))

    def forward(self, wav, lengths):
        x = self.conv(self.feat(wav).unsqueeze(1))
        out_len = torch.div(torch.div(lengths, HOP, rounding_mode="floor") + 2, 2, rounding_mode="floor").clamp_max(x.size(-1))
        x = x.flatten(1, 2).transpose(1, 2)
        packed, _ = self.rnn(pack_padded_sequence(x, out_len.cpu(), batch_first=True))
        x, _ = pad_packed_sequence(packed, batch_first=True)
        return F.log_softmax(self.fc(x), dim=-1), out_len


def main():
    torch.manual_seed(5)
    device = torch.device("cuda")
    model = DeepSpeech().to(device)
    opt = torch.optim.SGD(model.parameters(), lr=3e-4, momentum=0.9, nesterov=True)
    ctc = nn.CTCLoss(blank=0, zero_infinity=True)
    loader = DataLoader(Utterances(N_UTT), BATCH, shuffle=True, collate_fn=collate)
    for step, (wav, wl, text, tl) in enumerate(loader):
        logp, ol = model(wav.to(device), wl)
        loss = ctc(logp.transpose(0, 1), text.to(device), ol, tl)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 400)
        opt.step()
        print(f"step {step} seconds {wl.max().item() / SR:.1f} loss {loss.item():.3f} mem {torch.cuda.memory_allocated() / 1e6:.0f} MB")
    model.eval()
    with torch.no_grad():
        wav, wl, text, tl = collate([Utterances(8, seed=1)[i] for i in range(8)])
        logp, ol = model(wav.to(device), wl)
        hyp = [torch.unique_consecutive(p[:n].argmax(-1)) for p, n in zip(logp, ol.tolist())]
    print("hyp lengths", [int((h != 0).sum()) for h in hyp], "ref", tl.tolist())
    print(f"peak {torch.cuda.max_memory_allocated() / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
