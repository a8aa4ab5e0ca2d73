# limit: 2
"""Live acquisition: 64 geophones, one packet every few seconds, filtered as it comes."""
import torch
import torch.nn.functional as F

DEV = "cuda"
CHANNELS, PACKET = 64, 65536


def ricker(n=129, f=0.06):
    t = torch.arange(n, device=DEV) - n // 2
    a = (3.14159 * f * t) ** 2
    return (1 - 2 * a) * torch.exp(-a)


class Section:
    def __init__(self):
        self.samples = torch.zeros(CHANNELS, 0, device=DEV)
        self.kernel = ricker()[None, None]

    def clean(self, packet):
        x = packet - packet.mean(1, keepdim=True)
        y = F.conv1d(x[:, None], self.kernel, padding="same")
        return y[:, 0]

    def append(self, packet):
        cleaned = self.clean(packet)
        self.samples = F.pad(self.samples, (0, cleaned.shape[1]))
        self.samples[:, -cleaned.shape[1]:] = cleaned

    def triggers(self, window=PACKET):
        recent = self.samples[:, -window:]
        sta = recent[:, -2000:].abs().mean(1)
        lta = recent.abs().mean(1)
        return int((sta / lta > 1.1).sum())


def packets(n):
    for i in range(n):
        burst = 1.0 + 4.0 * (i % 17 == 0)
        yield burst * torch.randn(CHANNELS, PACKET)


section = Section()
for number, packet in enumerate(packets(90)):
    section.append(packet.to(DEV))
    if number % 8 == 0:
        print("packet", number, "triggers", section.triggers())
print("recorded", tuple(section.samples.shape))
torch.cuda.synchronize()
