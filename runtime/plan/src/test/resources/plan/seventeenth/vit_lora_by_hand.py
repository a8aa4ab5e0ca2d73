# LoRA for torchvision's ViT-B/16, no peft: replaces the linear layers of the MLPs and trains head + adapters.
import math
import torch
from torch import nn
from torchvision.models import vit_b_16

RANK, ALPHA = 8, 16
BATCH, STEPS, CLASSES = 24, 5, 37
DEVICE = "cuda"


class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, r: int, alpha: float):
        super().__init__()
        self.base = base
        for p in self.base.parameters():
            p.requires_grad_(False)
        self.A = nn.Parameter(torch.empty(r, base.in_features))
        self.B = nn.Parameter(torch.zeros(base.out_features, r))
        nn.init.kaiming_uniform_(self.A, a=math.sqrt(5))
        self.scale = alpha / r

    def forward(self, x):
        return self.base(x) + (x @ self.A.t() @ self.B.t()) * self.scale

    @torch.no_grad()
    def merge(self):
        self.base.weight += self.B @ self.A * self.scale
        return self.base


def inject(model):
    n = 0
    for layer in model.encoder.layers:
        mlp = layer.mlp
        for i, m in enumerate(mlp):
            if isinstance(m, nn.Linear):
                mlp[i] = LoRALinear(m, RANK, ALPHA)
                n += 1
    return n


def merge_all(model):
    for layer in model.encoder.layers:
        for i, m in enumerate(layer.mlp):
            if isinstance(m, LoRALinear):
                layer.mlp[i] = m.merge()


def adapter_state(model):
    return {k: v.detach().cpu() for k, v in model.named_parameters() if v.requires_grad}


def evaluate(model, n_batches=2):
    model.eval()
    ok = tot = 0
    gen = torch.Generator().manual_seed(9)
    with torch.no_grad():
        for _ in range(n_batches):
            x = torch.randn(BATCH * 2, 3, 224, 224, generator=gen).to(DEVICE)
            y = torch.randint(CLASSES, (BATCH * 2,), generator=gen).to(DEVICE)
            ok += (model(x).argmax(1) == y).sum().item()
            tot += len(y)
    return ok / tot


def main():
    torch.manual_seed(0)
    model = vit_b_16(weights=None)
    for p in model.parameters():
        p.requires_grad = False
    model.heads.head = nn.Linear(768, CLASSES)
    print("replaced", inject(model), "linears")
    model = model.to(DEVICE)
    train_params = [p for p in model.parameters() if p.requires_grad]
    print(f"trainable {sum(p.numel() for p in train_params):,} of {sum(p.numel() for p in model.parameters()):,}")
    opt = torch.optim.RMSprop(train_params, lr=1e-4, momentum=0.9)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, STEPS)
    for step in range(STEPS):
        model.train()
        x = torch.randn(BATCH, 3, 224, 224, device=DEVICE)
        y = torch.randint(CLASSES, (BATCH,), device=DEVICE)
        loss = nn.functional.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        print(f"{step}: {loss.item():.4f}")
    print("train peak MB:", torch.cuda.max_memory_allocated() // 2**20)
    state = adapter_state(model)
    print("adapter file would be", sum(v.numel() * 4 for v in state.values()) // 1024, "kB")
    before = evaluate(model)
    merge_all(model)
    print("acc before/after merge", before, evaluate(model))


if __name__ == "__main__":
    main()
