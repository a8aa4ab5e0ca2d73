import torch
from transformers import GPT2Config, GPT2LMHeadModel
model = GPT2LMHeadModel(GPT2Config(n_layer=6)).cuda().eval(); ids = torch.randint(0, 50257, (4, 64), device="cuda"); past = None
with torch.no_grad():
    step_ids = ids
    for step in range(24):
        out = model(input_ids=step_ids, past_key_values=past, use_cache=True); past = out.past_key_values
        step_ids = out.logits[:, -1:].argmax(-1)
