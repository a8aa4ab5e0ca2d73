# limit: 1.5
# Telescope exposures are reduced in parallel, one CUDA stream per detector.
import torch

torch.manual_seed(0)


class Detector:
    """One chip of the camera with its own stream."""

    def __init__(self, number, rows=11_264, cols=10_240):
        self.number = number
        self.shape = (rows, cols)
        self.stream = torch.cuda.Stream()
        self.gain = 1.0 + 0.01 * number

    def exposure(self, night):
        g = torch.Generator(device="cuda").manual_seed(100 * night + self.number)
        return torch.rand(self.shape, device="cuda", generator=g)

    def sky_level(self, night):
        raw = self.exposure(night)
        raw.mul_(self.gain)
        return raw.mean()

    def cutout(self, night, level):
        patch = torch.rand(2560, 4096, device="cuda")
        return patch.sub_(level)


def reduce_night(camera, night):
    cutouts = []
    for chip in camera:
        with torch.cuda.stream(chip.stream):
            level = chip.sky_level(night)
            cutouts.append(chip.cutout(night, level))
    torch.cuda.synchronize()
    return cutouts


def main():
    for chips in (1, 2, 6):
        camera = [Detector(i) for i in range(chips)]
        for night in range(2):
            cutouts = reduce_night(camera, night)
            noise = [c.std().item() for c in cutouts]
            print(f"{chips} chips, night {night}: noise {sum(noise) / len(noise):.4f}, "
                  f"in use {torch.cuda.memory_allocated() >> 20} MiB, "
                  f"reserved {torch.cuda.memory_reserved() >> 20} MiB")
            del cutouts


if __name__ == "__main__":
    main()
