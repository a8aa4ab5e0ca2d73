import torch
import torch.nn as nn
import torch.nn.functional as F
from transformers import LlamaConfig, LlamaForCausalLM


class Int8Linear(nn.Module):
    def __init__(self, linear):
        super().__init__()
        w = linear.weight.data
        scale = w.abs().amax(dim=1, keepdim=True).clamp(min=1e-8) / 127
        self.register_buffer("q", torch.round(w / scale).clamp(-127, 127).to(torch.int8))
        self.register_buffer("scale", scale)

    def forward(self, x):
        return F.linear(x, self.q.to(x.dtype) * self.scale.to(x.dtype))


def quantize(module):
    for name, child in module.named_children():
        if isinstance(child, nn.Linear) and name != "lm_head":
            setattr(module, name, Int8Linear(child))
        else:
            quantize(child)


torch.manual_seed(0)
model = LlamaForCausalLM(LlamaConfig(vocab_size=16000, hidden_size=768, intermediate_size=2048, num_hidden_layers=6, num_attention_heads=12, num_key_value_heads=4)).half().cuda()
quantize(model)
torch.cuda.empty_cache()
model.eval()
with torch.inference_mode():
    ids = torch.randint(0, 16000, (8, 300), device="cuda")
    out = model(input_ids=ids, use_cache=True, logits_to_keep=1)
    cache, token = out.past_key_values, out.logits[:, -1].argmax(-1, keepdim=True)
    for _ in range(20):
        out = model(input_ids=token, past_key_values=cache, use_cache=True)
        cache, token = out.past_key_values, out.logits[:, -1].argmax(-1, keepdim=True)
