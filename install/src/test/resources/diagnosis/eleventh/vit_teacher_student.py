# limit: 1.65
import copy

import timm
import torch
import torch.nn.functional as F

torch.manual_seed(0)


class Averager:
    def __init__(self, model, decay=0.999):
        self.decay = decay
        self.shadow = copy.deepcopy(model).eval()
        for p in self.shadow.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.lerp_(p, 1 - self.decay)


def loader(steps, bs=4):
    for _ in range(steps):
        yield torch.randn(bs, 3, 64, 64), torch.randint(0, 10, (bs,))


def train(epochs=3, steps=6, average_from=1):
    model = timm.create_model("vit_base_patch16_224", pretrained=False, num_classes=10, img_size=64).cuda()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4, foreach=False)
    avg = None
    for epoch in range(epochs):
        if epoch == average_from:
            avg = Averager(model)
        for x, y in loader(steps):
            loss = F.cross_entropy(model(x.cuda()), y.cuda())
            opt.zero_grad(set_to_none=False)
            loss.backward()
            opt.step()
            if avg is not None:
                avg.update(model)
        print("epoch", epoch, "loss", loss.item())


train()
