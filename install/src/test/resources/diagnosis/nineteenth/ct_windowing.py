# limit: 1.2
"""Pre-processing of CT scans on the GPU: HU conversion, lung window, z-score, 128^3 thumbnail."""
import torch
import torch.nn.functional as F

torch.manual_seed(5)
device = torch.device("cuda")

SCANS = [
    ("LIDC-0001", (180, 320, 320)),
    ("LIDC-0007", (240, 320, 320)),
    ("LIDC-0012", (260, 400, 400)),
    ("LIDC-0033", (200, 512, 512)),
    ("LIDC-0078", (480, 512, 512)),
    ("LIDC-0101", (210, 400, 400)),
]


def read_dicom(shape):
    return torch.randint(0, 3000, shape, dtype=torch.int16)


def to_hounsfield(vol, slope=1.0, intercept=-1024.0):
    vol = vol.float()
    vol = vol * slope + intercept
    return vol


def lung_window(vol, centre=-600.0, width=1500.0):
    lo, hi = centre - width / 2, centre + width / 2
    vol = vol.clamp_(lo, hi)
    return vol.sub_(lo).div_(hi - lo)


def zscore(vol):
    return vol.sub_(vol.mean()).div_(vol.std())


def thumbnail(vol, size=128):
    return F.interpolate(vol[None, None], size=(size, size, size), mode="trilinear", align_corners=False)[0, 0]


@torch.no_grad()
def process(name, shape):
    vol = to_hounsfield(read_dicom(shape).to(device))
    vol = lung_window(vol)
    vol = zscore(vol)
    thumb = thumbnail(vol).half().cpu()
    print(f"{name}: {tuple(shape)} -> {tuple(thumb.shape)} mean {thumb.float().mean():+.3f}")
    return thumb


def main():
    thumbs = {}
    for name, shape in SCANS:
        thumbs[name] = process(name, shape)
    stack = torch.stack(list(thumbs.values()))
    print("saved", tuple(stack.shape))


if __name__ == "__main__":
    main()
