# limit: 1.75
"""Two-stage fine-tuning of a speech encoder: head only, then the whole network."""
import torch
import torch.nn as nn
from transformers import HubertConfig
from transformers.models.hubert.modeling_hubert import HubertModel

torch.manual_seed(17)


class EmotionModel(nn.Module):
    def __init__(self, n=7):
        super().__init__()
        cfg = HubertConfig(
            hidden_size=1024, num_hidden_layers=12, num_attention_heads=16, intermediate_size=4096,
            conv_dim=(64,) * 7, num_conv_pos_embeddings=32, num_conv_pos_embedding_groups=16,
            mask_time_prob=0.0, layerdrop=0.0)
        self.encoder = HubertModel(cfg)
        self.head = nn.Sequential(nn.Linear(1024, 256), nn.ReLU(), nn.Linear(256, n))

    def forward(self, wav):
        return self.head(self.encoder(wav).last_hidden_state.mean(1))


class Stage:
    def __init__(self, name, params, lr, steps):
        self.name, self.steps = name, steps
        self.params = [p for p in params]
        for p in self.params:
            p.requires_grad_(True)
        self.opt = torch.optim.AdamW(self.params, lr=lr)

    def run(self, model):
        model.train()
        for i in range(self.steps):
            wav = torch.randn(2, 16000, device="cuda")
            lab = torch.randint(0, 7, (2,), device="cuda")
            loss = nn.functional.cross_entropy(model(wav), lab)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if i % 10 == 0:
                print(f"{self.name} {i} {loss.item():.3f}", flush=True)


model = EmotionModel().cuda()
n = sum(p.numel() for p in model.parameters())
print(f"{n / 1e6:.0f} M parameters")
for p in model.parameters():
    p.requires_grad_(False)
Stage("head", model.head.parameters(), 1e-3, 30).run(model)
Stage("full", model.parameters(), 1e-5, 30).run(model)
