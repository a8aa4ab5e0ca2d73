# limit: 6
# "BertModel classifier, it fails in the first forward, always in some encoder layer"
from dataclasses import dataclass

import torch
import torch.nn as nn
from transformers import BertConfig, BertModel

torch.manual_seed(17)


@dataclass
class Args:
    batch_size: int = 48
    max_length: int = 512
    lr: float = 2e-5
    steps: int = 3


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        config = BertConfig(attention_probs_dropout_prob=0.0, attn_implementation="sdpa")
        self.bert = BertModel(config, add_pooling_layer=False)
        self.head = nn.Linear(config.hidden_size, 2)

    def forward(self, ids):
        return self.head(self.bert(input_ids=ids).last_hidden_state[:, 0])


def step(model, opt, args):
    ids = torch.randint(0, 30000, (args.batch_size, args.max_length), device="cuda")
    labels = ids[:, 0] % 2
    loss = nn.functional.cross_entropy(model(ids), labels)
    loss.backward()
    opt.step()
    opt.zero_grad()
    return loss.item()


args = Args()
with torch.device("cuda"):
    model = Classifier()
model.train()
opt = torch.optim.SGD(model.parameters(), lr=args.lr)
for i in range(args.steps):
    print(i, step(model, opt, args))
