# limit: 2
"""Vibration of a wind turbine: per-window signatures, then one spectrogram of the day."""
import torch

device = "cuda"
SAMPLES = 376_000_000
WINDOWS, ROWS, COLS, SIG = 20, 4096, 4096, 256


def calibrate():
    raw = torch.empty(SAMPLES, device=device)
    raw.normal_(0.1, 2.0)
    offset, gain = raw.mean().item(), raw.max().item()
    return offset, gain


class Signature:
    def __init__(self, offset, gain):
        self.offset, self.gain = offset, gain
        self.basis = torch.randn(COLS, SIG, device=device) / COLS ** 0.5

    def window(self):
        w = torch.randn(ROWS, COLS, device=device)
        return w.sub_(self.offset).div_(self.gain)

    def __call__(self, w):
        return w @ self.basis


def morning(signature):
    waiting, signatures = [], []
    for _ in range(WINDOWS):
        w = signature.window()
        signatures.append(signature(w))
        waiting.append(w)
    energy = sum(w.pow_(2).mean().item() for w in waiting)
    print("energy", energy / WINDOWS)
    return signatures


def spectrogram(signatures, bins=57_000, frames=4096):
    day = torch.zeros(frames, bins, device=device)
    for i, s in enumerate(signatures):
        day[:, i * SIG:(i + 1) * SIG] = s
    return day.abs_()


with torch.no_grad():
    offset, gain = calibrate()
    signature = Signature(offset, gain)
    signatures = morning(signature)
    print(len(signatures), "signatures", sum(s.numel() * 4 for s in signatures) >> 20, "MiB")
    day = spectrogram(signatures)
    print("peak", day.max().item())
