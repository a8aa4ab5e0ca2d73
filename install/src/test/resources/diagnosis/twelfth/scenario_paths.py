# limit: 1.5
"""Monte Carlo stress scenarios for a fund, "in parallel"."""
import torch

PATHS, STEPS = 1_146_880, 64      # 280 MiB
TRACE = 4_194_304                 # 16 MiB

SCENARIOS = {
    "base": (0.02, 0.15), "rates_up": (-0.01, 0.18), "rates_down": (0.03, 0.12),
    "crash": (-0.30, 0.55), "stagflation": (-0.05, 0.25), "boom": (0.10, 0.14),
    "fx_shock": (0.00, 0.30), "credit": (-0.12, 0.33),
}


def simulate(mu, sigma):
    dt = 1.0 / STEPS
    shocks = torch.empty(PATHS, STEPS, device="cuda")
    shocks.normal_().mul_(sigma * dt ** 0.5).add_((mu - 0.5 * sigma ** 2) * dt)
    shocks.exp_()
    return shocks.mean(), shocks.std()


def trace(mean, std):
    out = torch.empty(TRACE, device="cuda")
    out.normal_()
    out.mul_(std).add_(mean)
    return out


def main():
    torch.manual_seed(99)
    main_stream = torch.cuda.current_stream()
    traces, streams = {}, {}
    for name, (mu, sigma) in SCENARIOS.items():
        s = torch.cuda.Stream()
        s.wait_stream(main_stream)
        with torch.cuda.stream(s):
            mean, std = simulate(mu, sigma)
            traces[name] = trace(mean, std)
        streams[name] = s
        print("submitted", name, flush=True)
    for s in streams.values():
        main_stream.wait_stream(s)
    torch.cuda.synchronize()
    for name, t in traces.items():
        q = t[:1_000_000].quantile(0.01).item()
        print(f"{name:12s} 1% quantile {q:.4f}")


if __name__ == "__main__":
    main()
