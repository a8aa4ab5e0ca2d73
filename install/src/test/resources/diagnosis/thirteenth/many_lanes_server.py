# limit: 1.5
import os
os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":16384:8"
import torch
from torch import nn


class Lane:
    def __init__(self, idx):
        self.idx = idx
        self.stream = torch.cuda.Stream()
        self.served = 0

    def submit(self, model, x):
        with torch.cuda.stream(self.stream):
            y = model(x)
        self.served += 1
        return y


class Server:
    def __init__(self, lanes=16):
        self.model = nn.Sequential(nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 1024, bias=False)).to("cuda").eval()
        self.lanes = [Lane(i) for i in range(lanes)]
        self.active = 2

    def scale_up(self):
        self.active = min(self.active + 2, len(self.lanes))

    @torch.inference_mode()
    def tick(self, t):
        answers = []
        for lane in self.lanes[: self.active]:
            x = torch.randn(64, 1024, device="cuda")
            lane.stream.wait_stream(torch.cuda.current_stream())
            answers.append(lane.submit(self.model, x))
        torch.cuda.synchronize()
        return sum(a.mean().item() for a in answers)


def main():
    torch.manual_seed(0)
    server = Server()
    for t in range(40):
        v = server.tick(t)
        print(f"tick {t} lanes {server.active} checksum {v:.4f}")
        if t % 3 == 2:
            server.scale_up()


if __name__ == "__main__":
    main()
