# limit: 4
# "hidden is passed on forever and I use retain_graph-like tricks. Does the graph grow?"
import torch
import torch.nn as nn

torch.manual_seed(36)


def detached(state):
    if isinstance(state, torch.Tensor):
        return state.detach()
    return tuple(detached(s) for s in state)


class SensorModel(nn.Module):
    def __init__(self, channels=32, hidden=512):
        super().__init__()
        self.rnn = nn.GRU(channels, hidden, num_layers=2, batch_first=True)
        self.head = nn.Linear(hidden, channels)

    def forward(self, x, state):
        h, state = self.rnn(x, state)
        return self.head(h), state


class TruncatedTrainer:
    def __init__(self, model, window=50):
        self.model, self.window = model, window
        self.opt = torch.optim.Adam(model.parameters(), lr=1e-3)
        self.losses = torch.zeros(0)

    def fit(self, series):
        state = torch.zeros(2, series.shape[0], 512, device=series.device)
        for start in range(0, series.shape[1] - self.window - 1, self.window):
            chunk = series[:, start:start + self.window + 1]
            pred, state = self.model(chunk[:, :-1], state)
            loss = nn.functional.mse_loss(pred, chunk[:, 1:])
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            state = detached(state)
            self.losses = torch.cat([self.losses, loss.detach().cpu()[None]])
            if start % 500 == 0:
                print(start, loss.item(), torch.cuda.memory_allocated() >> 20, "MiB")


series = torch.randn(64, 3000, 32, device="cuda")
TruncatedTrainer(SensorModel().to("cuda")).fit(series)
