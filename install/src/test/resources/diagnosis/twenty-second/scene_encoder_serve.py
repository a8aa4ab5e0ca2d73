# limit: 1.0
# Inference service for drone scenes: weights come from a training run's file, tiles are classified.
import tempfile
from pathlib import Path

import torch
import torch.nn as nn


class SceneEncoder(nn.Module):
    def __init__(self, dim=1536, depth=6, patch=16):
        super().__init__()
        self.embed = nn.Conv2d(3, dim, patch, stride=patch)
        self.layers = nn.ModuleList([
            nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))
            for _ in range(depth)])
        self.head = nn.Linear(dim, 45)

    def forward(self, x):
        h = self.embed(x).flatten(2).transpose(1, 2)
        for layer in self.layers:
            h = h + layer(h)
        return self.head(h.mean(1))


def training_file(folder):
    """What the training job would have left us (saved from its GPU, with the averaged weights)."""
    torch.manual_seed(4)
    net = SceneEncoder()
    file = Path(folder) / "scene_final.pth"
    weights = net.state_dict()
    torch.save({"state_dict": weights, "ema_state_dict": {k: v.clone() for k, v in weights.items()},
                "hparams": {"dim": 1536, "depth": 6}}, file)
    return file


class Service:
    def __init__(self, file, device="cuda"):
        self.device = torch.device(device)
        self.meta = torch.load(file, map_location=self.device)
        hp = self.meta["hparams"]
        self.net = SceneEncoder(hp["dim"], hp["depth"]).to(self.device).eval()
        self.net.load_state_dict(self.meta["ema_state_dict"])
        self.seen = 0

    @torch.inference_mode()
    def classify(self, tiles):
        self.seen += len(tiles)
        return self.net(tiles.to(self.device)).argmax(1).tolist()

    def info(self):
        return {"hparams": self.meta["hparams"], "seen": self.seen}


def main():
    with tempfile.TemporaryDirectory() as folder:
        service = Service(training_file(folder))
        g = torch.Generator().manual_seed(0)
        for request, n in enumerate([1, 2, 4, 4, 8, 8, 2, 64, 16, 48]):
            tiles = torch.rand(n, 3, 256, 256, generator=g)
            answer = service.classify(tiles)
            print(f"request {request}: {n} tiles, first classes {answer[:4]}")
        print(service.info())


if __name__ == "__main__":
    main()
