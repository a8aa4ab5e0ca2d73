# limit: 1.5
# Land cover mapping: predict every tile of a scene and write one big probability stack.
import time

import torch
import torch.nn as nn

DEVICE = "cuda"
N_CLASSES = 21
TILE = 256


def conv(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


class SmallFCN(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(conv(4, 24), conv(24, 32), nn.Conv2d(32, N_CLASSES, 1))

    def forward(self, x):
        return self.net(x).softmax(1)


def scene_tiles(n_batches, batch_size=8):
    g = torch.Generator(device=DEVICE).manual_seed(3)
    for _ in range(n_batches):
        yield torch.rand(batch_size, 4, TILE, TILE, device=DEVICE, generator=g)


@torch.no_grad()
def predict_scene(model, n_batches):
    model.eval()
    all_probs = None
    for i, tiles in enumerate(scene_tiles(n_batches)):
        probs = model(tiles)
        if all_probs is None:
            all_probs = probs
        else:
            all_probs = torch.cat([all_probs, probs], dim=0)
        if i % 5 == 0:
            print(f"batch {i:3d}: {all_probs.shape[0]} tiles")
    return all_probs


def main():
    torch.manual_seed(0)
    model = SmallFCN().to(DEVICE)
    small = predict_scene(model, 4)           # test scene, ok
    print("test scene", tuple(small.shape))
    del small
    t0 = time.time()
    probs = predict_scene(model, 30)          # the real scene
    classes = probs.argmax(1).to(torch.uint8).cpu()
    print("done", tuple(classes.shape), round(time.time() - t0, 1), "s")


if __name__ == "__main__":
    main()
