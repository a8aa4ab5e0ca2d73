# limit: 1.5
"""After the last crash I clean up everywhere."""
import gc

import torch
import torch.nn as nn
from torchvision.models import mobilenet_v3_small

torch.manual_seed(13)


def free_memory():
    gc.collect()
    torch.cuda.empty_cache()


class Logger:
    def __init__(self):
        self.rows = []

    def log(self, **kw):
        self.rows.append(kw)
        if len(self.rows) % 20 == 0:
            print(" ".join(f"{k}={v}" for k, v in kw.items()))


def get_batch(bs=48):
    return torch.randn(bs, 3, 160, 160, device="cuda"), torch.randint(0, 30, (bs,), device="cuda")


def train_step(net, opt, crit):
    x, y = get_batch()
    out = net(x)
    loss = crit(out, y)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    value = loss.item()
    del x, y, out, loss
    free_memory()
    return value


def validate(net):
    net.eval()
    with torch.no_grad():
        x, y = get_batch(96)
        acc = (net(x).argmax(1) == y).float().mean().item()
        del x, y
    free_memory()
    net.train()
    return acc


net = mobilenet_v3_small(num_classes=30).cuda()
opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
crit = nn.CrossEntropyLoss()
log = Logger()
for epoch in range(3):
    for step in range(20):
        l = train_step(net, opt, crit)
        log.log(epoch=epoch, step=step, loss=round(l, 3),
                reserved=torch.cuda.memory_reserved() >> 20)
    print("epoch", epoch, "accuracy", validate(net))
