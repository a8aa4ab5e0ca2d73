# limit: 3
"""Run an ensemble of MLPs, one CUDA stream each, and watch the memory."""
import torch
import torch.nn as nn

torch.manual_seed(0)
N = 12
models = [nn.Sequential(nn.Linear(512, 1024), nn.ReLU(), nn.Linear(1024, 10)).to("cuda").eval() for _ in range(N)]
streams = [torch.cuda.Stream() for _ in range(N)]
mean = torch.zeros(256, 10, device="cuda")

with torch.no_grad():
    for step in range(60):
        x = torch.randn(256, 512, device="cuda")
        used = min(N, 1 + step // 3)
        outs = []
        for model, stream in zip(models[:used], streams[:used]):
            stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(stream):
                outs.append(model(x).softmax(-1))
        torch.cuda.synchronize()
        mean = 0.9 * mean + 0.1 * torch.stack(outs).mean(0)
        del outs
        if step % 5 == 0:
            print(step, used, "streams,", torch.cuda.memory_allocated() // 2**20, "MiB")
print(mean.sum().item())
