# limit: 3
import torch
from transformers import BertConfig, BertModel

LENGTH = 4096
cfg = BertConfig(vocab_size=10000, hidden_size=512, num_hidden_layers=6, num_attention_heads=8, intermediate_size=1024,
                 max_position_embeddings=LENGTH, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
cfg._attn_implementation = "eager"     # we want to plot attention maps later


class DocumentClassifier(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.bert = BertModel(cfg)
        self.cls = torch.nn.Linear(512, 20)

    def forward(self, ids):
        hidden = self.bert(input_ids=ids).last_hidden_state
        return self.cls(hidden[:, 0])


net = DocumentClassifier().cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(20):
    docs = torch.randint(0, 10000, (2, LENGTH), device="cuda")
    labels = torch.randint(0, 20, (2,), device="cuda")
    loss = torch.nn.functional.cross_entropy(net(docs), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 5 == 0:
        print(step, float(loss))
