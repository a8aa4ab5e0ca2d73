# limit: 1.0
"""Moth species with a ConvNeXt atto; keeps the full history for the paper's plots."""
import json

import timm
import torch
import torch.nn.functional as F


class History(dict):
    def log(self, key, value):
        self.setdefault(key, []).append(value)

    def dump(self):
        return json.dumps({k: v[-3:] if isinstance(v[0], float) else len(v) for k, v in self.items()})


def images(n, bs=8):
    for _ in range(n):
        yield torch.randn(bs, 3, 192, 192), torch.randint(0, 50, (bs,))


def train(model, opt, hist):
    model.train()
    for x, y in images(20):
        loss = F.cross_entropy(model(x.to("cuda")), y.to("cuda"))
        opt.zero_grad()
        loss.backward()
        opt.step()
        hist.log("train_loss", loss.item())


@torch.no_grad()
def validate(model, hist):
    model.eval()
    outs, ys = [], []
    for x, y in images(15):
        outs.append(model(x.to("cuda")).softmax(-1).cpu())
        ys.append(y)
    probs, y = torch.cat(outs), torch.cat(ys)
    hist.log("val_acc", (probs.argmax(-1) == y).float().mean().item())
    hist.log("val_probs", probs)


def main():
    torch.manual_seed(14)
    model = timm.create_model("convnext_atto", pretrained=False, num_classes=50).to("cuda")
    opt = torch.optim.AdamW(model.parameters(), lr=4e-4)
    hist = History()
    for epoch in range(4):
        train(model, opt, hist)
        validate(model, hist)
        print(epoch, hist.dump())


if __name__ == "__main__":
    main()
