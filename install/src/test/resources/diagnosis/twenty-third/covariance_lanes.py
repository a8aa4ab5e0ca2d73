# limit: 0.6
# Per-channel covariance of EEG windows. 30 channels = 30 independent jobs, so 30 streams.
# All matrices together are below 100 MB!
import time

import torch

CHANNELS, WINDOWS, LENGTH = 30, 400, 512


class ChannelJob:
    def __init__(self, index):
        self.index = index
        self.stream = torch.cuda.Stream()
        self.cov = torch.zeros(LENGTH, LENGTH, device="cuda")
        self.n = 0

    def update(self, windows):
        self.stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.stream):
            centred = windows - windows.mean(0, keepdim=True)
            self.cov.addmm_(centred.t(), centred)
            self.n += len(windows)
            windows.record_stream(self.stream)

    def result(self):
        torch.cuda.current_stream().wait_stream(self.stream)
        return self.cov / max(self.n - 1, 1)


def recording(subject):
    g = torch.Generator(device="cuda").manual_seed(subject)
    for c in range(CHANNELS):
        base = torch.randn(WINDOWS, LENGTH, device="cuda", generator=g)
        yield c, base.cumsum(1) / LENGTH ** 0.5


def analyse(subjects):
    jobs = [ChannelJob(c) for c in range(CHANNELS)]
    for s in range(subjects):
        start = time.perf_counter()
        for c, windows in recording(s):
            jobs[c].update(windows)
        torch.cuda.synchronize()
        print(f"subject {s}: {1e3 * (time.perf_counter() - start):.1f} ms, "
              f"allocated {torch.cuda.memory_allocated() >> 20} MiB, reserved {torch.cuda.memory_reserved() >> 20} MiB")
    return [torch.linalg.matrix_norm(j.result()).item() for j in jobs]


def first_channels_only(n=4):
    jobs = [ChannelJob(c) for c in range(n)]
    for c, windows in recording(999):
        if c < n:
            jobs[c].update(windows)
    torch.cuda.synchronize()
    return [round(j.result().trace().item(), 2) for j in jobs]


if __name__ == "__main__":
    torch.manual_seed(0)
    print("pilot", first_channels_only())
    norms = analyse(6)
    print("largest", max(norms))
