# limit: 1.5
"""Day by day factor model of minute bars: reads a day's panel to the GPU,
winsorises in place, estimates factor loadings, writes a small report."""
import logging
import sys

import torch

logger = logging.getLogger("bars")
logger.addHandler(logging.StreamHandler(sys.stdout))
logger.setLevel("INFO")

MINUTES = 390
FIELDS = 16


class Vendor:
    """Synthetic stand-in of the vendor's feed; the universe grows over time."""

    universe = {"d1": 6000, "d2": 9000, "d3": 14000, "d4": 20000, "d5": 33000, "d6": 34000, "d7": 34500}

    def days(self):
        return list(self.universe)

    def panel(self, day):
        n = self.universe[day]
        p = torch.empty(n, MINUTES, FIELDS, device="cuda")
        p.normal_(0, 0.01)
        return p


def winsorise_(panel, cap=0.03):
    return panel.clamp_(-cap, cap)


def loadings(panel, k=8, field=0):
    r = panel[:, :, field]
    cov = r.t() @ r / r.shape[0]
    vals, vecs = torch.linalg.eigh(cov.cpu())
    return vals[-k:].flip(0), vecs[:, -k:].flip(1)


def turnover(prev, cur):
    if prev is None:
        return float("nan")
    return (prev - cur).abs().sum().item()


def main():
    torch.manual_seed(7)
    vendor = Vendor()
    prev_vec = None
    report = {}
    for day in vendor.days():
        panel = vendor.panel(day)
        winsorise_(panel)
        vals, vecs = loadings(panel)
        report[day] = (panel.shape[0], vals[0].item(), turnover(prev_vec, vecs))
        prev_vec = vecs
        logger.info("%s: %d names, first eigenvalue %.3e, turnover %.2f", day, *report[day])
    logger.info("done, %d days", len(report))


if __name__ == "__main__":
    main()
