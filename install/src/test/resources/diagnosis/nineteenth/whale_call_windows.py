# limit: 2.0
# Spectral entropy of hydrophone recordings (dense hop so that clicks are not missed)
import logging
import torch

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
torch.manual_seed(0)
DEV = torch.device("cuda")
SR, N_FFT, HOP = 16_000, 1024, 32

RECORDINGS = [("site_a_01", 20), ("site_a_02", 45), ("site_b_01", 30), ("site_b_02", 120),
              ("site_c_night", 1800), ("site_c_day", 60)]  # seconds


def load(name, seconds):
    """Synthetic: pink-ish noise with a few chirps."""
    g = torch.Generator().manual_seed(len(name))
    x = 0.1 * torch.randn(seconds * SR, generator=g)
    t = torch.arange(SR) / SR
    chirp = torch.sin(2 * torch.pi * (300 + 900 * t) * t)
    for s in range(0, seconds - 1, 7):
        x[s * SR:(s + 1) * SR] += chirp
    return x.to(DEV)


class EntropyMeter:
    def __init__(self):
        self.window = torch.hann_window(N_FFT, device=DEV)

    @torch.inference_mode()
    def __call__(self, wave):
        frames = wave.unfold(0, N_FFT, HOP)
        spec = torch.fft.rfft(frames * self.window)
        power = spec.real.square() + spec.imag.square()
        p = power / power.sum(-1, keepdim=True).clamp_min(1e-9)
        return -(p * (p + 1e-12).log2()).sum(-1)


def detect(entropy, quantile=0.05):
    step = max(1, len(entropy) // 100_000)
    thr = torch.quantile(entropy[::step], quantile)
    return int((entropy < thr).sum())


def main():
    meter = EntropyMeter()
    summary = {}
    for name, seconds in RECORDINGS:
        wave = load(name, seconds)
        ent = meter(wave)
        summary[name] = detect(ent)
        logging.info("%s: %d s, %d frames, mean entropy %.3f bit, %d calls",
                     name, seconds, len(ent), ent.mean().item(), summary[name])
    logging.info("total %d", sum(summary.values()))


main()
