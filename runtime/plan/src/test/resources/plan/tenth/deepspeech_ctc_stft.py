import math
import torch
import torch.nn as nn
import torch.nn.functional as F

"""DeepSpeech2-like recogniser. log-mel front end by hand (torch.stft), conv + BiGRU, CTC loss."""

SR = 16000
N_FFT = 400
HOP = 160
N_MELS = 80
N_CHARS = 29


def mel_filterbank(n_freqs, n_mels, sr, fmin=20.0, fmax=None):
    fmax = fmax or sr / 2
    to_mel = lambda f: 2595.0 * math.log10(1.0 + f / 700.0)
    mels = torch.linspace(to_mel(fmin), to_mel(fmax), n_mels + 2)
    hz = 700.0 * (10 ** (mels / 2595.0) - 1.0)
    freqs = torch.linspace(0, sr / 2, n_freqs)
    slopes = hz[None, :] - freqs[:, None]
    diff = hz[1:] - hz[:-1]
    down = -slopes[:, :-2] / diff[:-1]
    up = slopes[:, 2:] / diff[1:]
    return torch.clamp(torch.minimum(down, up), min=0.0)


class LogMel(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.hann_window(N_FFT))
        self.register_buffer("fb", mel_filterbank(N_FFT // 2 + 1, N_MELS, SR))

    @torch.no_grad()
    def forward(self, wav):
        spec = torch.stft(wav, N_FFT, HOP, window=self.window, return_complex=True).abs().pow(2)
        mel = torch.log(self.fb.t() @ spec + 1e-6)
        mel = (mel - mel.mean(-1, keepdim=True)) / (mel.std(-1, keepdim=True) + 1e-5)
        if self.training:  # spec augment
            f0 = torch.randint(0, N_MELS - 15, (1,)).item()
            t0 = torch.randint(0, mel.size(-1) - 40, (1,)).item()
            mel[:, f0:f0 + 15] = 0
            mel[:, :, t0:t0 + 40] = 0
        return mel


class DeepSpeech(nn.Module):
    def __init__(self, hidden=768, layers=4):
        super().__init__()
        self.frontend = LogMel()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 32, (41, 11), stride=(2, 2), padding=(20, 5)), nn.BatchNorm2d(32), nn.Hardtanh(0, 20, inplace=True),
            nn.Conv2d(32, 32, (21, 11), stride=(2, 1), padding=(10, 5)), nn.BatchNorm2d(32), nn.Hardtanh(0, 20, inplace=True))
        self.gru = nn.GRU(32 * N_MELS // 4, hidden, layers, bidirectional=True, dropout=0.1)
        self.norm = nn.LayerNorm(2 * hidden)
        self.fc = nn.Linear(2 * hidden, N_CHARS)

    def forward(self, wav, wav_lens):
        x = self.conv(self.frontend(wav).unsqueeze(1))
        b, c, f, t = x.shape
        x = x.view(b, c * f, t).permute(2, 0, 1).contiguous()
        x, _ = self.gru(x)
        logp = F.log_softmax(self.fc(self.norm(x)), dim=-1)
        lens = torch.div(wav_lens // HOP + 1 + 1, 2, rounding_mode="floor").clamp(max=t)
        return logp, lens


def utterances(n, device):
    lens = torch.randint(3 * SR, 10 * SR, (n,))
    wav = torch.randn(n, int(lens.max())) * 0.1
    for i, l in enumerate(lens.tolist()):
        wav[i, l:] = 0
    tlens = torch.randint(20, 80, (n,))
    targets = torch.randint(1, N_CHARS, (int(tlens.sum()),))   # concatenated
    return wav.to(device), lens.to(device), targets.to(device), tlens.to(device)


def main():
    torch.manual_seed(5)
    device = torch.device("cuda")
    model = DeepSpeech().to(device)
    opt = torch.optim.SGD(model.parameters(), lr=3e-4, momentum=0.9, nesterov=True, weight_decay=1e-5)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.99)
    ctc = nn.CTCLoss(blank=0, reduction="mean", zero_infinity=True)
    model.train()
    for step in range(4):
        wav, lens, targets, tlens = utterances(24, device)
        logp, out_lens = model(wav, lens)
        loss = ctc(logp, targets, out_lens, tlens)
        opt.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 400)
        if torch.isfinite(norm):
            opt.step()
        sched.step()
        print(f"step {step} frames {logp.size(0)} ctc {loss.item():.3f} norm {norm.item():.2f}")
    model.eval()
    with torch.no_grad():
        wav, lens, _, _ = utterances(8, device)
        best = model(wav, lens)[0].argmax(-1).t()
    for row in best[:2]:
        print([c for c in torch.unique_consecutive(row).tolist() if c != 0][:20])


if __name__ == "__main__":
    main()
