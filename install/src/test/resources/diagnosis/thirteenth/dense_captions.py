# limit: 2.5
# Caption decoder on frozen image features. Stage 1: short alt texts, stage 2: dense captions.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(6)
V, D = 128_000, 512


class Decoder(nn.Module):
    def __init__(self, layers=4):
        super().__init__()
        self.tok = nn.Embedding(V, D)
        self.pos = nn.Embedding(512, D)
        layer = nn.TransformerDecoderLayer(D, 8, 4 * D, dropout=0.0, batch_first=True, norm_first=True)
        self.dec = nn.TransformerDecoder(layer, layers)
        self.lm_head = nn.Linear(D, V, bias=False)
        self.lm_head.weight = self.tok.weight

    def forward(self, ids, img):
        t = ids.size(1)
        x = self.tok(ids) + self.pos(torch.arange(t, device=ids.device))
        mask = nn.Transformer.generate_square_subsequent_mask(t, device=ids.device)
        return self.lm_head(self.dec(x, img, tgt_mask=mask, tgt_is_causal=True))


class Stage:
    def __init__(self, name, length, steps):
        self.name, self.length, self.steps = name, length, steps

    def batches(self, bs=8):
        for _ in range(self.steps):
            yield torch.randn(bs, 49, D, device="cuda"), torch.randint(0, V, (bs, self.length + 1), device="cuda")


def caption_loss(logits, target):
    logits = logits.float()
    return F.cross_entropy(logits.reshape(-1, V), target.reshape(-1))


def run(model, opt, stage):
    for img, ids in stage.batches():
        with torch.autocast("cuda", dtype=torch.bfloat16):
            logits = model(ids[:, :-1], img)
        loss = caption_loss(logits, ids[:, 1:])
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
    print(stage.name, "loss", round(loss.item(), 3), flush=True)


model = Decoder().cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for st in (Stage("alt-text", 24, 20), Stage("titles", 48, 10), Stage("dense", 256, 10)):
    run(model, opt, st)
