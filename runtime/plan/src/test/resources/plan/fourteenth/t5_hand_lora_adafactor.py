"""Sequence-to-sequence fine-tuning of a T5 made from a config, LoRA injected by hand, Adafactor, bf16 weights."""
import math
import os
import tempfile

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
from transformers import T5Config, T5ForConditionalGeneration
from transformers.optimization import Adafactor


class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, r=16, alpha=32, p=0.05):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.A = nn.Parameter(torch.empty(r, base.in_features, dtype=torch.float32, device=base.weight.device))
        self.B = nn.Parameter(torch.zeros(base.out_features, r, dtype=torch.float32, device=base.weight.device))
        nn.init.kaiming_uniform_(self.A, a=math.sqrt(5))
        self.scale, self.drop = alpha / r, nn.Dropout(p)

    @property
    def weight(self):  # T5 looks at wo.weight.dtype
        return self.base.weight

    def forward(self, x):
        lo = self.drop(x).float() @ self.A.T @ self.B.T
        return self.base(x) + (self.scale * lo).to(x.dtype)


def inject(model, names=("q", "v", "wi_0", "wi_1")):
    n = 0
    for mod in list(model.modules()):
        for name, child in list(mod.named_children()):
            if isinstance(child, nn.Linear) and name in names:
                setattr(mod, name, LoRALinear(child))
                n += 1
    return n


class Reverse(Dataset):
    """reverse the source, lengths vary"""

    def __init__(self, n, vocab, lo, hi, seed):
        g = torch.Generator().manual_seed(seed)
        self.items = []
        for _ in range(n):
            L = int(torch.randint(lo, hi, (1,), generator=g))
            self.items.append(torch.randint(3, vocab, (L,), generator=g))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        s = self.items[i]
        return s, torch.cat([s.flip(0), torch.tensor([1])])


def collate(batch):
    src, tgt = zip(*batch)
    ids = nn.utils.rnn.pad_sequence(src, batch_first=True, padding_value=0)
    lab = nn.utils.rnn.pad_sequence(tgt, batch_first=True, padding_value=-100)
    return {"input_ids": ids, "attention_mask": (ids != 0).long(), "labels": lab}


def main():
    BATCH = 12
    LO = 60
    HI = 200
    N_TRAIN = 80
    ACC = 2
    DM = 768
    torch.manual_seed(31)
    cfg = T5Config(vocab_size=12000, d_model=DM, d_kv=64, d_ff=2048, num_layers=8, num_decoder_layers=8, num_heads=12,
                   feed_forward_proj="gated-gelu", tie_word_embeddings=False, decoder_start_token_id=0, pad_token_id=0)
    model = T5ForConditionalGeneration(cfg).to(torch.bfloat16).to("cuda")
    for p in model.parameters():
        p.requires_grad_(False)
    print("adapted", inject(model), "linears")
    train = [p for p in model.parameters() if p.requires_grad]
    print("trainable", sum(p.numel() for p in train), "of", sum(p.numel() for p in model.parameters()))
    opt = Adafactor(train, lr=1e-3, relative_step=False, scale_parameter=False, warmup_init=False)
    dl = DataLoader(Reverse(N_TRAIN, 12000, LO, HI, 0), BATCH, shuffle=True, collate_fn=collate)
    model.train()
    for i, b in enumerate(dl):
        b = {k: v.to("cuda") for k, v in b.items()}
        loss = model(**b).loss
        (loss / ACC).backward()
        if (i + 1) % ACC == 0 or i + 1 == len(dl):
            nn.utils.clip_grad_norm_(train, 1.0)
            opt.step()
            opt.zero_grad()
        print(f"{i} len {b['input_ids'].shape[1]}/{b['labels'].shape[1]} loss {loss.item():.3f}")
    model.eval()
    src, _ = Reverse(4, 12000, 20, 40, 9)[0]
    with torch.no_grad():
        out = model.generate(src[None].to("cuda"), max_new_tokens=24, num_beams=3, do_sample=False)
    print("generated", tuple(out.shape))
    with tempfile.TemporaryDirectory() as d:
        torch.save({k: v for k, v in model.state_dict().items() if k.endswith((".A", ".B"))}, os.path.join(d, "lora.pt"))
    print("peak", torch.cuda.max_memory_allocated() / 2**30)


if __name__ == "__main__":
    main()
