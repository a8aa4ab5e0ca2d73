# limit: 2.5
"""Clause detection in contracts. Documents are padded to the longest of their length group."""
import torch
import torch.nn as nn
from transformers import AutoModel, BertConfig

torch.manual_seed(14)

cfg = BertConfig(vocab_size=12000, hidden_size=256, num_hidden_layers=4, num_attention_heads=8,
                 intermediate_size=512, max_position_embeddings=4096)


class ClauseTagger(nn.Module):
    def __init__(self):
        super().__init__()
        # eager, because the attention maps are shown to the lawyers later
        self.bert = AutoModel.from_config(cfg, attn_implementation="eager")
        self.head = nn.Linear(256, 7)

    def forward(self, ids, mask):
        return self.head(self.bert(input_ids=ids, attention_mask=mask).last_hidden_state)


def group(length, n, bs=4):
    for _ in range(n):
        ids = torch.randint(0, 12000, (bs, length))
        mask = torch.ones_like(ids)
        mask[0, length * 3 // 4:] = 0
        yield ids.cuda(), mask.cuda(), torch.randint(0, 7, (bs, length)).cuda()


def main():
    model = ClauseTagger().cuda()
    opt = torch.optim.AdamW(model.parameters(), lr=3e-5)
    log = {}
    for length in (256, 512, 768, 2048, 3072):
        tot = 0.0
        for ids, mask, y in group(length, 8):
            loss = nn.functional.cross_entropy(model(ids, mask).transpose(1, 2), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item()
        log[length] = tot / 8
        print(length, f"{log[length]:.4f}")


main()
