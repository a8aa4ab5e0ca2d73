import torch
from transformers import T5Config, T5ForConditionalGeneration
torch.manual_seed(0)
model = T5ForConditionalGeneration(T5Config(d_model=384, d_kv=64, d_ff=1024, num_layers=4, num_heads=6, vocab_size=20000, decoder_start_token_id=0)).cuda().eval()
ids = torch.randint(2, 20000, (3, 200), device="cuda")
with torch.inference_mode():
    memory = model.get_encoder()(input_ids=ids).last_hidden_state
    words, cache = torch.zeros(3, 1, dtype=torch.long, device="cuda"), None
    for step in range(24):
        out = model(encoder_outputs=(memory,), decoder_input_ids=words[:, -1:], past_key_values=cache, use_cache=True)
        cache = out.past_key_values
        words = torch.cat([words, out.logits[:, -1].argmax(-1, keepdim=True)], 1)
print(words.shape)
