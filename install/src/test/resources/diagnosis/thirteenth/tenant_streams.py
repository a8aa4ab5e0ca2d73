# limit: 2.0
import torch


class Tenant:
    """one customer: own stream, own small gain and session state"""

    def __init__(self, name, seed):
        self.name = name
        self.stream = torch.cuda.Stream()
        g = torch.Generator(device="cuda").manual_seed(seed)
        self.gain = torch.randn(256, device="cuda", generator=g)
        self.sessions = []

    @torch.no_grad()
    def handle(self, prompt_len):
        with torch.cuda.stream(self.stream):
            # prefill: wide hidden states of the whole prompt
            hidden = torch.randn(prompt_len, 256 * 24, device="cuda")
            hidden.mul_(0.5)
            pooled = hidden.view(prompt_len, 24, 256).mean(1)
            del hidden
            state = (pooled * self.gain)[-6000:].clone()
            del pooled
            self.sessions.append(state)
            self.sessions = self.sessions[-4:]
            score = state.mean()
        self.stream.synchronize()
        return score.item()


def serve(tenants, rounds):
    for r in range(rounds):
        for i, t in enumerate(tenants):
            s = t.handle(12000 + 500 * ((r + i) % 3))
            mib = torch.cuda.memory_allocated() / 2**20
            print(f"round {r} {t.name}: {s:+.4f} in use {mib:.0f} MiB")


def main():
    torch.manual_seed(0)
    tenants = [Tenant(f"tenant{i}", i) for i in range(9)]
    serve(tenants, 4)


if __name__ == "__main__":
    main()
