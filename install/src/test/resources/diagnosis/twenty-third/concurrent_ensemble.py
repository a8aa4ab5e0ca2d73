# limit: 2.0
# Deep ensemble of 8 experts for molecular fingerprints. Running the experts concurrently should be
# faster than one after the other (it needed 0.8 GB that way).
import torch
import torch.nn as nn
import torch.nn.functional as F


class Expert(nn.Module):
    def __init__(self, d_in=512, d_hidden=2400, d_out=64):
        super().__init__()
        self.expand = nn.Linear(d_in, d_hidden)
        self.project = nn.Linear(d_hidden, d_out)

    def forward(self, x):
        return self.project(F.gelu(self.expand(x)))


class Ensemble(nn.Module):
    def __init__(self, n_experts, concurrent):
        super().__init__()
        self.experts = nn.ModuleList(Expert() for _ in range(n_experts))
        self.lanes = [torch.cuda.Stream() for _ in range(n_experts)] if concurrent else None

    def forward(self, x):
        if self.lanes is None:
            return torch.stack([e(x) for e in self.experts])
        main = torch.cuda.current_stream()
        outs = []
        for expert, lane in zip(self.experts, self.lanes):
            lane.wait_stream(main)
            with torch.cuda.stream(lane):
                outs.append(expert(x))
        for lane in self.lanes:
            main.wait_stream(lane)
        return torch.stack(outs)


class Screening:
    def __init__(self, ensemble):
        self.ensemble = ensemble.cuda().eval()

    @torch.inference_mode()
    def uncertainty(self, library):
        out = self.ensemble(library)
        return out.std(0).mean(1)

    def run(self, n_chunks, size=32768):
        picked = 0
        g = torch.Generator(device="cuda").manual_seed(0)
        for c in range(n_chunks):
            library = (torch.rand(size, 512, device="cuda", generator=g) < 0.1).float()
            u = self.uncertainty(library)
            picked += int((u > u.mean() + 2 * u.std()).sum())
            print(f"chunk {c} picked {picked} reserved {torch.cuda.memory_reserved() / 2**20:.0f} MiB")
        return picked


if __name__ == "__main__":
    torch.manual_seed(0)
    print("sequential", Screening(Ensemble(8, concurrent=False)).run(3))
    torch.cuda.empty_cache()
    torch.manual_seed(0)
    print("concurrent", Screening(Ensemble(8, concurrent=True)).run(3))
