import torch
import torch.nn.functional as F
from transformers import BertConfig, BertModel

torch.manual_seed(0)
config = BertConfig(vocab_size=8000, hidden_size=256, num_hidden_layers=4, num_attention_heads=4, intermediate_size=1024, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
encoder = BertModel(config, add_pooling_layer=False).cuda()
opt = torch.optim.AdamW(encoder.parameters(), lr=2e-5)


def embed(ids):
    hidden = encoder(input_ids=ids, attention_mask=(ids != 0).long()).last_hidden_state
    return F.normalize(hidden.mean(1), dim=-1)


for _ in range(2):
    questions, passages = torch.randint(1, 8000, (96, 24), device="cuda"), torch.randint(1, 8000, (96, 96), device="cuda")
    parts = [(side, chunk) for side, ids in enumerate((questions, passages)) for chunk in ids.split(24)]
    with torch.no_grad():
        cached = [embed(chunk) for _, chunk in parts]
    leaves = [c.requires_grad_() for c in cached]
    q = torch.cat([l for l, (side, _) in zip(leaves, parts) if side == 0])
    p = torch.cat([l for l, (side, _) in zip(leaves, parts) if side == 1])
    loss = F.cross_entropy(q @ p.t() / 0.05, torch.arange(96, device="cuda"))
    loss.backward()
    opt.zero_grad()
    for leaf, (_, chunk) in zip(leaves, parts):
        torch.sum(embed(chunk) * leaf.grad).backward()
    opt.step()
