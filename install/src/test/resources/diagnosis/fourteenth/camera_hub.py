# limit: 2.0
import torch

torch.manual_seed(30)

# Ten traffic cameras. Each camera object has its own stream so that the work overlaps.
CLIPS = 4


class Camera:
    def __init__(self, name, seed):
        self.name = name
        self.stream = torch.cuda.Stream()
        self.gen = torch.Generator(device="cuda").manual_seed(seed)
        self.background = torch.zeros(1024, 1024, device="cuda")
        self.key_frames = []

    def grab(self):
        return torch.rand(60, 1024, 1024, device="cuda", generator=self.gen)

    def process(self):
        self.stream.wait_stream(torch.cuda.default_stream())
        with torch.cuda.stream(self.stream):
            frames = self.grab()
            motion = (frames - self.background).abs_().mean((1, 2))
            best = motion.topk(3).indices
            self.key_frames.append(frames[best])
            self.background.lerp_(frames[-1], 0.05)

    def summary(self):
        self.stream.synchronize()
        return torch.stack([k.mean() for k in self.key_frames]).mean().item()


class Hub:
    def __init__(self, n):
        self.cameras = [Camera(f"cam{i:02d}", 100 + i) for i in range(n)]

    def run(self):
        for cam in self.cameras:
            for _ in range(CLIPS):
                cam.process()
            print(cam.name, "key frames", sum(len(k) for k in cam.key_frames))

    def report(self):
        for cam in self.cameras:
            print(cam.name, f"{cam.summary():.5f}")


if __name__ == "__main__":
    hub = Hub(10)
    hub.run()
    hub.report()
