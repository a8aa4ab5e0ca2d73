# limit: 1.2
"""Two-stage transfer learning on plankton images: first the head, then everything."""
import timm
import torch
import torch.nn.functional as F


def set_trainable(model, flag):
    for name, p in model.named_parameters():
        p.requires_grad_(flag or name.startswith("head"))


def make_optimizer(model, lr):
    params = [p for p in model.parameters() if p.requires_grad]
    print(f"  optimising {sum(p.numel() for p in params):,} values")
    return torch.optim.AdamW(params, lr=lr, weight_decay=0.05)


def data(n, bs):
    for _ in range(n):
        yield torch.rand(bs, 3, 224, 224, device="cuda"), torch.randint(0, 38, (bs,), device="cuda")


def run_stage(model, title, lr, epochs, steps, bs):
    print(title)
    opt = make_optimizer(model, lr)
    for e in range(epochs):
        hits = seen = 0
        for x, y in data(steps, bs):
            logits = model(x)
            loss = F.cross_entropy(logits, y, label_smoothing=0.1)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            hits += (logits.argmax(1) == y).sum().item()
            seen += bs
        print(f"  epoch {e}: loss {loss.item():.3f} acc {hits / seen:.2f}")


def main():
    torch.manual_seed(8)
    model = timm.create_model("vit_base_patch16_224", num_classes=38).cuda()
    set_trainable(model, False)
    run_stage(model, "stage 1 (head)", 1e-3, epochs=3, steps=30, bs=4)
    set_trainable(model, True)
    run_stage(model, "stage 2 (all)", 2e-5, epochs=3, steps=30, bs=2)


main()
