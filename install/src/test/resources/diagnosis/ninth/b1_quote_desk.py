# limit: 0.75
"""Option quotes for the desks of the house."""
import torch

dev = torch.device("cuda")
FACTORS, PATHS, DESKS = 64, 1024, 200


class Market:
    def __init__(self):
        root = torch.randn(FACTORS, FACTORS, device=dev) / FACTORS ** 0.5
        self.loadings = root
        self.vol = 0.2

    def paths(self):
        shocks = torch.randn(PATHS, FACTORS, device=dev)
        moves = shocks @ self.loadings
        return torch.exp(self.vol * moves - 0.5 * self.vol ** 2)


class Desk:
    def __init__(self, name, market):
        self.name, self.market = name, market
        self.queue = torch.cuda.Stream()
        self.book = {}

    def quote(self, strike):
        with torch.cuda.stream(self.queue):
            payoff = (self.market.paths() - strike).clamp(min=0)
            price = payoff.mean().item()
        self.book[strike] = price
        return price


def open_desks(market):
    for n in range(DESKS):
        yield Desk(f"desk-{n:03d}", market)


def day():
    market = Market()
    torch.cuda.synchronize()
    total, quotes = 0.0, 0
    for desk in open_desks(market):
        for strike in (0.8, 1.0, 1.2):
            total += desk.quote(strike)
            quotes += 1
        if quotes % 15 == 0:
            print(desk.name, "mean quote", total / quotes)
    return total / quotes


print("day's mean", day())
