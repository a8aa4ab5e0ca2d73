import torch
from transformers import Mamba2Config, Mamba2ForCausalLM

torch.manual_seed(0)
config = Mamba2Config(vocab_size=8000, hidden_size=256, state_size=32, num_heads=8, head_dim=64, n_groups=1, num_hidden_layers=3, chunk_size=64, expand=2)
model = Mamba2ForCausalLM(config).cuda()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
for _ in range(3):
    ids = torch.randint(0, 8000, (2, 512), device="cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = model(input_ids=ids, labels=ids).loss
    opt.zero_grad()
    loss.backward()
    opt.step()
