# limit: 8
# "Memory goes to almost zero between the steps and up again, and training is slow. Is something broken?"
import gc
import time

import torch
import torch.nn as nn

torch.manual_seed(29)


class Callback:
    def on_step_end(self, trainer):
        pass


class MemoryCleaner(Callback):
    def on_step_end(self, trainer):
        gc.collect()
        torch.cuda.empty_cache()


class Timer(Callback):
    def __init__(self):
        self.last = time.time()

    def on_step_end(self, trainer):
        now = time.time()
        if trainer.step % 20 == 0:
            print(f"{trainer.step}: {1000 * (now - self.last):.1f} ms, {torch.cuda.memory_reserved() >> 20} MiB reserved")
        self.last = now


class Trainer:
    def __init__(self, callbacks):
        self.model = nn.Sequential(
            nn.Conv2d(3, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(),
            nn.Conv2d(64, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(),
            nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10),
        ).to("cuda")
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.05, momentum=0.9)
        self.callbacks = callbacks
        self.step = 0

    def fit(self, steps):
        for _ in range(steps):
            x = torch.randn(64, 3, 96, 96, device="cuda")
            y = torch.randint(0, 10, (64,), device="cuda")
            loss = nn.functional.cross_entropy(self.model(x), y)
            self.opt.zero_grad(set_to_none=True)
            loss.backward()
            self.opt.step()
            self.step += 1
            del x, y, loss
            for cb in self.callbacks:
                cb.on_step_end(self)


Trainer([MemoryCleaner(), Timer()]).fit(100)
