# limit: 1
"""Collects every layer's activations over a data set for linear probes."""
import torch
from torch import nn
from transformers import BertConfig, BertModel

dev = "cuda"
LAYERS, DIM = 6, 384


class Collector:
    def __init__(self, model):
        self.store = {i: [] for i in range(LAYERS)}
        self.handles = [
            layer.register_forward_hook(self.keep(i)) for i, layer in enumerate(model.encoder.layer)]

    def keep(self, i):
        def hook(module, args, output):
            hidden = output[0] if isinstance(output, tuple) else output
            self.store[i].append(hidden.detach().to("cpu", torch.float16))
        return hook

    def close(self):
        for handle in self.handles:
            handle.remove()

    def gather(self, i):
        return torch.cat(self.store[i])


def sentences(n, batch=32, length=96):
    for _ in range(n):
        yield torch.randint(0, 8000, (batch, length))


def probe(features, labels, steps=100):
    x = features.float().mean(1).to(dev)
    model = nn.Linear(DIM, 3).to(dev)
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(steps):
        loss = nn.functional.cross_entropy(model(x), labels)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


config = BertConfig(vocab_size=8000, hidden_size=DIM, num_hidden_layers=LAYERS, num_attention_heads=6, intermediate_size=1536)
model = BertModel(config, add_pooling_layer=False).to(dev).eval()
collector = Collector(model)
for ids in sentences(60):
    with torch.no_grad():
        model(input_ids=ids.to(dev))
collector.close()
labels = torch.randint(0, 3, (60 * 32,), device=dev)
for i in range(LAYERS):
    print("layer", i, "probe loss", probe(collector.gather(i), labels))
