import torch
from transformers import MistralConfig, MistralForCausalLM
torch.manual_seed(0)
model = MistralForCausalLM(MistralConfig(hidden_size=768, intermediate_size=2048, num_hidden_layers=5, num_attention_heads=12, num_key_value_heads=4, vocab_size=16384, sliding_window=None)).to("cuda", torch.bfloat16).train()
opt = torch.optim.SGD(model.parameters(), lr=1e-2, momentum=0.9)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 10)
for step in range(3):
    ids = torch.randint(0, 16384, (3, 320), device="cuda")
    loss = model(input_ids=ids, labels=ids, use_cache=False).loss
    opt.zero_grad(); loss.backward(); opt.step(); sched.step()
