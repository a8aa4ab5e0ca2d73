# limit: 4
# "OOM on a permute? I thought permute is free. The volume is 2.2 GiB of 4"
import torch
import torch.nn as nn

torch.manual_seed(11)


def load_volume(slices=704, side=912):
    """Stands for reading a CT series: (side, side, slices)."""
    return torch.rand(side, side, slices, device="cuda")


def to_slices_first(volume):
    return volume.permute(2, 0, 1).contiguous()


class SliceNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(inplace=True), nn.Conv2d(8, 1, 3, padding=1)
        )

    def forward(self, x):
        return self.net(x)


@torch.no_grad()
def run(model, volume):
    for i in range(volume.shape[0]):
        volume[i] = model(volume[i][None, None])[0, 0]
    return volume


if __name__ == "__main__":
    model = SliceNet().to("cuda").eval()
    vol = load_volume()
    vol = to_slices_first(vol)
    vol = run(model, vol)
    print(vol.shape, vol[0, 0, 0].item())
