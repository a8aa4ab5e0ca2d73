# limit: 2.0
"""Puts a speech corpus on the GPU: level measured on the 40 kHz master, 22.05 kHz copy kept."""
import torch

MASTER, KEPT = 40_000, 22_050


def decode(shard, seconds, rate):
    """stands for the decoder: returns mono float audio"""
    wav = torch.zeros(int(seconds * rate))
    wav[::1000] = 0.1 * (shard + 1)
    return wav


class Corpus:
    def __init__(self, durations):
        self.durations = durations
        self.shards = []

    def level(self, shard):
        wav = decode(shard, self.durations[shard], MASTER).to("cuda")
        return wav.norm() / wav.numel() ** 0.5

    def load(self):
        for shard, seconds in enumerate(self.durations):
            level = self.level(shard)
            wav = decode(shard, seconds, KEPT).to("cuda")
            wav.div_(level * 10)
            self.shards.append(wav)
            print(f"shard {shard}: {seconds} s, level {level.item():.5f}, "
                  f"{torch.cuda.memory_allocated() >> 20} MiB used, {torch.cuda.memory_reserved() >> 20} MiB reserved")

    def windows(self, n=16, length=KEPT):
        for k in range(n):
            wav = self.shards[k % len(self.shards)]
            start = (k * 977 * length) % (wav.numel() - length)
            yield wav[start:start + length]


def main():
    torch.manual_seed(0)
    corpus = Corpus([1310 + 52 * i for i in range(10)])
    corpus.load()
    conv = torch.nn.Conv1d(1, 16, 400, stride=160).cuda()
    with torch.no_grad():
        energy = [conv(w[None, None]).pow(2).mean().item() for w in corpus.windows()]
    print("mean energy", sum(energy) / len(energy))


if __name__ == "__main__":
    main()
