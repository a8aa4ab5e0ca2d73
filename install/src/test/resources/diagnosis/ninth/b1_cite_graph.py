# limit: 4
import torch
import torch.nn.functional as F
from torch_geometric.data import Data
from torch_geometric.nn import SAGEConv

device = torch.device("cuda")
PAPERS, LINKS, WORDS, TOPICS = 60_000, 600_000, 256, 25


def citations():
    g = torch.Generator().manual_seed(3)
    edges = torch.randint(0, PAPERS, (2, LINKS), generator=g)
    data = Data(x=torch.randn(PAPERS, WORDS, generator=g), edge_index=edges)
    data.y = torch.randint(0, TOPICS, (PAPERS,), generator=g)
    data.known = torch.arange(PAPERS // 2)
    data.hidden = torch.arange(PAPERS // 2, PAPERS)
    return data


class TopicNet(torch.nn.Module):
    def __init__(self, width=128):
        super().__init__()
        self.first = SAGEConv(WORDS, width)
        self.second = SAGEConv(width, width)
        self.out = torch.nn.Linear(width, TOPICS)

    def forward(self, x, edge_index):
        h = F.relu(self.first(x, edge_index))
        h = F.dropout(h, 0.3, training=self.training)
        h = F.relu(self.second(h, edge_index))
        return self.out(h)


@torch.no_grad()
def test(model, data):
    model.eval()
    guess = model(data.x, data.edge_index).argmax(-1)
    return (guess[data.hidden] == data.y[data.hidden]).float().mean().item()


data = citations().to(device)
model = TopicNet().to(device)
opt = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=5e-4)
curve = []
for epoch in range(60):
    model.train()
    logits = model(data.x, data.edge_index)
    loss = F.cross_entropy(logits[data.known], data.y[data.known])
    opt.zero_grad()
    loss.backward()
    opt.step()
    curve.append((loss.item(), test(model, data)))
    if epoch % 10 == 0:
        print(epoch, curve[-1])
