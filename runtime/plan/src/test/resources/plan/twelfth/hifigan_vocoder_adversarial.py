"""HiFi-GAN-ish vocoder: mel -> wave generator, multi-period discriminator, feature matching, STFT L1 loss."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.parametrizations import weight_norm

SR, HOP, MELS = 22050, 256, 80
SEGMENT = 32          # frames
BATCH, STEPS = 16, 4
UPS, CH = (8, 8, 2, 2), 256
PERIODS = (2, 3, 5, 7)
device = "cuda"


class MRF(nn.Module):
    def __init__(self, ch, kernels=(3, 7, 11), dil=(1, 3, 5)):
        super().__init__()
        self.blocks = nn.ModuleList(nn.ModuleList(
            weight_norm(nn.Conv1d(ch, ch, k, dilation=d, padding=(k - 1) * d // 2)) for d in dil) for k in kernels)

    def forward(self, x):
        out = 0
        for convs in self.blocks:
            h = x
            for c in convs:
                h = h + c(F.leaky_relu(h, 0.1))
            out = out + h
        return out / len(self.blocks)


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.pre = weight_norm(nn.Conv1d(MELS, CH, 7, padding=3))
        c, ups, mrfs = CH, [], []
        for u in UPS:
            ups.append(weight_norm(nn.ConvTranspose1d(c, c // 2, 2 * u, u, padding=u // 2)))
            c //= 2
            mrfs.append(MRF(c))
        self.ups, self.mrfs = nn.ModuleList(ups), nn.ModuleList(mrfs)
        self.post = weight_norm(nn.Conv1d(c, 1, 7, padding=3))

    def forward(self, mel):
        x = self.pre(mel)
        for up, mrf in zip(self.ups, self.mrfs):
            x = mrf(up(F.leaky_relu(x, 0.1)))
        return torch.tanh(self.post(F.leaky_relu(x)))


class PeriodD(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p
        ch = (1, 32, 128, 256, 512)
        self.convs = nn.ModuleList(weight_norm(nn.Conv2d(a, b, (5, 1), (3, 1), (2, 0))) for a, b in zip(ch, ch[1:]))
        self.out = weight_norm(nn.Conv2d(512, 1, (3, 1), padding=(1, 0)))

    def forward(self, x):
        if x.shape[-1] % self.p:
            x = F.pad(x, (0, self.p - x.shape[-1] % self.p), "reflect")
        x = x.view(x.shape[0], 1, -1, self.p)
        feats = []
        for c in self.convs:
            x = F.leaky_relu(c(x), 0.1)
            feats.append(x)
        return self.out(x), feats


def spec(x, n=1024):
    s = torch.stft(x.squeeze(1), n, HOP, window=torch.hann_window(n, device=x.device), return_complex=True)
    return torch.log(s.abs().clamp(min=1e-5))


def main():
    torch.manual_seed(1234)
    torch.backends.cudnn.benchmark = True
    G = Generator().to(device)
    D = nn.ModuleList(PeriodD(p) for p in PERIODS).to(device)
    og = torch.optim.AdamW(G.parameters(), 2e-4, betas=(0.8, 0.99))
    od = torch.optim.AdamW(D.parameters(), 2e-4, betas=(0.8, 0.99))
    sg = torch.optim.lr_scheduler.ExponentialLR(og, 0.999)
    for step in range(STEPS):
        wav = torch.tanh(torch.randn(BATCH, 1, SEGMENT * HOP, device=device) * 0.3)
        mel = torch.randn(BATCH, MELS, SEGMENT, device=device)
        fake = G(mel)
        loss_d = 0
        for d in D:
            r, f = d(wav)[0], d(fake.detach())[0]
            loss_d = loss_d + ((r - 1) ** 2).mean() + (f**2).mean()
        od.zero_grad()
        loss_d.backward()
        od.step()

        loss_g = 45 * F.l1_loss(spec(fake), spec(wav))
        for d in D:
            _, fr = d(wav)
            out, ff = d(fake)
            loss_g = loss_g + ((out - 1) ** 2).mean()
            loss_g = loss_g + 2 * sum(F.l1_loss(b, a.detach()) for a, b in zip(fr, ff))
        og.zero_grad()
        loss_g.backward()
        og.step()
        sg.step()
        print(f"{step} D {loss_d.item():.3f} G {loss_g.item():.3f}")
    print("peak", torch.cuda.max_memory_allocated() / 2**20)


if __name__ == "__main__":
    main()
