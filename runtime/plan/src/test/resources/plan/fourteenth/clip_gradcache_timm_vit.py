"""CLIP-like contrastive training with gradient caching: big logical batch, small chunks through the towers."""
import timm
import torch
import torch.nn as nn
import torch.nn.functional as F


class TextTower(nn.Module):
    def __init__(self, vocab=6000, d=384, layers=4, ctx=48, out=256):
        super().__init__()
        self.tok, self.pos = nn.Embedding(vocab, d), nn.Parameter(torch.zeros(1, ctx, d))
        layer = nn.TransformerEncoderLayer(d, 6, 4 * d, dropout=0.1, activation="gelu", batch_first=True, norm_first=True)
        self.enc = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.norm, self.proj = nn.LayerNorm(d), nn.Linear(d, out, bias=False)

    def forward(self, ids):
        pad = ids == 0
        x = self.enc(self.tok(ids) + self.pos[:, : ids.shape[1]], src_key_padding_mask=pad)
        keep = (~pad).float()[..., None]
        return self.proj((self.norm(x) * keep).sum(1) / keep.sum(1))


class ImageTower(nn.Module):
    def __init__(self, out=256):
        super().__init__()
        self.vit = timm.create_model("vit_small_patch16_224", pretrained=False, num_classes=0, img_size=160, drop_path_rate=0.1)
        self.proj = nn.Linear(self.vit.num_features, out, bias=False)

    def forward(self, x):
        return self.proj(self.vit(x))


class RandContext:
    """replay the dropout masks of the first pass in the second one"""

    def __init__(self):
        self.cpu, self.gpu = torch.get_rng_state(), torch.cuda.get_rng_state()

    def restore(self):
        torch.set_rng_state(self.cpu)
        torch.cuda.set_rng_state(self.gpu)


def encode_nograd(tower, chunks):
    feats, states = [], []
    for c in chunks:
        states.append(RandContext())
        with torch.no_grad(), torch.autocast("cuda", dtype=torch.bfloat16):
            feats.append(tower(c).float())
    return torch.cat(feats).requires_grad_(True), states


def replay(tower, chunks, states, grad):
    for c, st, g in zip(chunks, states, grad.split([len(c) for c in chunks])):
        st.restore()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            f = tower(c).float()
        (f * g).sum().backward()


def siglip_loss(a, b, t, bias):
    logits = F.normalize(a, dim=-1) @ F.normalize(b, dim=-1).T * t.exp() + bias
    lab = 2 * torch.eye(len(a), device=a.device) - 1
    return -F.logsigmoid(lab * logits).sum(1).mean()


def main():
    LOGICAL = 768
    CHUNK = 128
    STEPS = 3
    torch.manual_seed(55)
    dev = "cuda"
    img, txt = ImageTower().to(dev), TextTower().to(dev)
    t, bias = nn.Parameter(torch.tensor(2.3, device=dev)), nn.Parameter(torch.tensor(-10.0, device=dev))
    opt = torch.optim.AdamW([*img.parameters(), *txt.parameters(), t, bias], lr=5e-4, weight_decay=0.2)
    for step in range(STEPS):
        g = torch.Generator().manual_seed(step)
        ids = torch.randint(1, 6000, (LOGICAL, 48), generator=g)
        lens = torch.randint(8, 49, (LOGICAL, 1), generator=g)
        ids = ids.masked_fill(torch.arange(48)[None] >= lens, 0).to(dev)
        images = torch.randn(LOGICAL, 3, 160, 160, device=dev)
        ic, tc = images.split(CHUNK), ids.split(CHUNK)
        fi, si = encode_nograd(img, ic)
        ft, st = encode_nograd(txt, tc)
        loss = siglip_loss(fi, ft, t, bias)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        replay(img, ic, si, fi.grad)
        replay(txt, tc, st, ft.grad)
        opt.step()
        with torch.no_grad():
            t.clamp_(0, 4.6)
        print(f"step {step} loss {loss.item():.3f} t {t.exp().item():.2f} peak {torch.cuda.max_memory_allocated() / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
