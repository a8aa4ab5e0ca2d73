# limit: 1.5
"""Audio captioning: spectrogram encoder, cached features, then a GPT-2-like decoder with prefix."""
import timm
import torch
import torch.nn as nn
from transformers import GPT2Config, GPT2LMHeadModel

torch.manual_seed(90)
DEVICE = "cuda"


class PrefixCaptioner(nn.Module):
    def __init__(self, prefix=8, d=1280, layers=24):
        super().__init__()
        cfg = GPT2Config(n_embd=d, n_layer=layers, n_head=20, vocab_size=50257, n_positions=256)
        self.map = nn.Linear(384, prefix * d)
        self.lm = GPT2LMHeadModel(cfg)
        self.prefix, self.d = prefix, d

    def forward(self, feat, ids):
        p = self.map(feat).view(-1, self.prefix, self.d)
        e = torch.cat([p, self.lm.transformer.wte(ids)], 1)
        logits = self.lm(inputs_embeds=e).logits[:, self.prefix - 1:-1]
        return nn.functional.cross_entropy(logits.transpose(1, 2), ids)


@torch.inference_mode()
def encode_clips(n_clips, bs=32):
    enc = timm.create_model("deit_small_patch16_224", pretrained=False, num_classes=0, in_chans=1)
    enc = enc.eval().to(DEVICE)
    out = []
    for s in range(0, n_clips, bs):
        spec = torch.rand(bs, 1, 224, 224, device=DEVICE)
        out.append(enc(spec).cpu())
        if s % 256 == 0:
            print("encoded", s, flush=True)
    return torch.cat(out)


def finetune(feats, steps=20):
    with torch.device(DEVICE):
        model = PrefixCaptioner()
    for p in model.lm.parameters():
        p.requires_grad_(False)
    opt = torch.optim.AdamW(model.map.parameters(), lr=1e-3)
    for i in range(steps):
        pick = torch.randint(0, feats.size(0), (4,))
        ids = torch.randint(0, 50257, (4, 24), device=DEVICE)
        loss = model(feats[pick].clone().to(DEVICE), ids)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print("caption loss", loss.item())


feats = encode_clips(512)
print("features", feats.shape, flush=True)
finetune(feats)
