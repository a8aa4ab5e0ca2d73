"""An encoder over batches of different lengths: the second length compiles it again, for any length."""
import torch
import torch.nn as nn

torch.manual_seed(0)


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(8000, 384)
        layer = nn.TransformerEncoderLayer(384, 6, 1536, dropout=0.1, activation="gelu", batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, 4, enable_nested_tensor=False)
        self.head = nn.Linear(384, 40)

    def forward(self, tokens):
        return self.head(self.encoder(self.embed(tokens)))


model = torch.compile(Tagger().cuda())
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
for length in (128, 200, 96, 256, 160):
    tokens, tags = torch.randint(0, 8000, (32, length), device="cuda"), torch.randint(0, 40, (32, length), device="cuda")
    loss = nn.functional.cross_entropy(model(tokens).flatten(0, 1), tags.flatten())
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
print(loss.item())
