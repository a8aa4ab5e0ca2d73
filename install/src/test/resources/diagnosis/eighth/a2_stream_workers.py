# limit: 4
# "Every one of my stream workers leaks ~32 MB. All tensors are tiny"
import torch
import torch.nn as nn

torch.manual_seed(31)


class StreamWorker:
    def __init__(self, model):
        self.model = model
        self.stream = torch.cuda.Stream()

    def handle(self, request):
        self.stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.stream), torch.no_grad():
            answer = self.model(request)
            request.record_stream(self.stream)
        torch.cuda.current_stream().wait_stream(self.stream)
        return answer.sum().item()


class Pool:
    def __init__(self, size):
        self.model = nn.Sequential(nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 8)).to("cuda").eval()
        self.workers = [StreamWorker(self.model) for _ in range(size)]

    def serve(self, rounds):
        for r in range(rounds):
            for number, worker in enumerate(self.workers):
                worker.handle(torch.randn(32, 256, device="cuda"))
                if r == 0:
                    print(f"after worker {number}: {torch.cuda.memory_allocated() / 2**20:.1f} MiB")
        print(f"at the end: {torch.cuda.memory_allocated() / 2**20:.1f} MiB")


Pool(8).serve(rounds=20)
