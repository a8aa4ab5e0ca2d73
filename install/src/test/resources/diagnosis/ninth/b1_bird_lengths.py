# limit: 8
import random
import torch
from torch import nn

device = torch.device("cuda")
BINS, CHANNELS, BATCH = 128, 256, 24


class SongEmbedder(nn.Module):
    def __init__(self):
        super().__init__()
        self.front = nn.Conv1d(BINS, CHANNELS, 5, padding=2)
        self.body = nn.ModuleList(nn.Conv1d(CHANNELS, CHANNELS, 3, padding=1) for _ in range(3))
        self.wide = nn.Conv1d(CHANNELS, 2 * CHANNELS, 1)

    def forward(self, spec):
        x = torch.relu(self.front(spec))
        skips = [x]
        for layer in self.body:
            x = torch.relu(layer(x))
            skips.append(x)
        x = torch.stack(skips).sum(0)
        return self.wide(x).amax(-1)


def field_recordings(count=312, seed=1):
    rng = random.Random(seed)
    return sorted(rng.randint(500, 6000) for _ in range(count))


def in_batches(lengths):
    for i in range(0, len(lengths), BATCH):
        part = lengths[i:i + BATCH]
        spec = torch.zeros(len(part), BINS, part[-1])
        for row, n in enumerate(part):
            spec[row, :, :n] = torch.rand(BINS, n)
        yield spec


@torch.no_grad()
def embed_all():
    model = SongEmbedder().to(device).eval()
    out = []
    for spec in in_batches(field_recordings()):
        vector = model(spec.to(device))
        out.append(vector.cpu())
        print(tuple(spec.shape), f"{torch.cuda.memory_reserved() / 2**30:.2f} GiB held")
    return torch.cat(out)


songs = embed_all()
print("songs", tuple(songs.shape), "norm", songs.norm(dim=1).mean().item())
