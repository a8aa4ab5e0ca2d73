# limit: 1.25
"""MoCo-like sentence embedding pretraining on synthetic token ids."""
import copy
from collections import deque

import torch
import torch.nn.functional as F
from transformers import BertConfig, BertModel

DEVICE = "cuda"
VOCAB = 8000
TEMP = 0.07


def build():
    cfg = BertConfig(vocab_size=VOCAB, hidden_size=256, num_hidden_layers=4,
                     num_attention_heads=4, intermediate_size=1024,
                     max_position_embeddings=128)
    return BertModel(cfg, add_pooling_layer=False)


def embed(model, ids):
    hidden = model(input_ids=ids).last_hidden_state
    return F.normalize(hidden.mean(1), dim=-1)


@torch.no_grad()
def momentum_update(q, k, m=0.99):
    for a, b in zip(q.parameters(), k.parameters()):
        b.mul_(m).add_(a, alpha=1 - m)


def corrupt(ids):
    noise = torch.rand(ids.shape, device=ids.device) < 0.15
    return torch.where(noise, torch.zeros_like(ids), ids)


def main(steps=40):
    torch.manual_seed(5)
    q_enc = build().to(DEVICE).train()
    k_enc = copy.deepcopy(q_enc)
    opt = torch.optim.AdamW(q_enc.parameters(), lr=1e-4)
    queue = deque(maxlen=32)
    for step in range(steps):
        ids = torch.randint(1, VOCAB, (16, 128), device=DEVICE)
        q = embed(q_enc, corrupt(ids))
        k = embed(k_enc, corrupt(ids))
        negatives = [n.detach() for n in queue]
        keys = torch.cat([k.detach()] + negatives)
        loss = F.cross_entropy(q @ keys.T / TEMP, torch.arange(16, device=DEVICE))
        opt.zero_grad()
        loss.backward()
        opt.step()
        momentum_update(q_enc, k_enc)
        queue.append(k)
        print(f"step {step:03d} loss {loss.item():.3f} queue {len(queue)}")


if __name__ == "__main__":
    main()
