# LLaVA style stage 1: only the projector learns, vision tower and LM frozen in bf16.
# then a few answers are generated for images
import torch
from transformers import CLIPVisionConfig, LlamaConfig, LlavaConfig, LlavaForConditionalGeneration

device = "cuda"
IMAGE_TOKEN = 32000
VOCAB = 32064

vision_config = CLIPVisionConfig(
    hidden_size=768, intermediate_size=3072, num_hidden_layers=12, num_attention_heads=12,
    image_size=224, patch_size=16,
)
text_config = LlamaConfig(
    vocab_size=VOCAB, hidden_size=1024, intermediate_size=2752, num_hidden_layers=12,
    num_attention_heads=16, num_key_value_heads=16, max_position_embeddings=2048,
    pad_token_id=0, bos_token_id=1, eos_token_id=2,
)
config = LlavaConfig(
    vision_config=vision_config,
    text_config=text_config,
    image_token_index=IMAGE_TOKEN,
    image_seq_length=196,
    vision_feature_select_strategy="default",
    vision_feature_layer=-2,
)

torch.manual_seed(0)
model = LlavaForConditionalGeneration(config).to(device=device, dtype=torch.bfloat16)
for name, p in model.named_parameters():
    p.requires_grad = "multi_modal_projector" in name
# master copy of projector in fp32
trainable = [p for p in model.parameters() if p.requires_grad]
master = [p.detach().clone().float().requires_grad_(True) for p in trainable]
opt = torch.optim.AdamW(master, lr=1e-3)
print("trainable", sum(p.numel() for p in trainable))


def make_batch(bs=8, text=128):
    pixel_values = torch.randn(bs, 3, 224, 224, device=device, dtype=torch.bfloat16)
    bos = torch.ones(bs, 1, dtype=torch.long, device=device)
    img = torch.full((bs, 196), IMAGE_TOKEN, dtype=torch.long, device=device)
    txt = torch.randint(10, 31000, (bs, text), device=device)
    ids = torch.cat([bos, img, txt], dim=1)
    labels = ids.clone()
    labels[:, :197] = -100
    return dict(input_ids=ids, attention_mask=torch.ones_like(ids), pixel_values=pixel_values, labels=labels)


model.train()
for step in range(4):
    batch = make_batch()
    loss = model(**batch, use_cache=False).loss
    model.zero_grad()
    loss.backward()
    for m, p in zip(master, trainable):
        m.grad = p.grad.float()
    torch.nn.utils.clip_grad_norm_(master, 1.0)
    opt.step()
    with torch.no_grad():
        for m, p in zip(master, trainable):
            p.copy_(m)
    print("step", step, "loss", loss.item())

model.eval()
b = make_batch(bs=4, text=12)
with torch.inference_mode():
    out = model.generate(
        input_ids=b["input_ids"],
        attention_mask=b["attention_mask"],
        pixel_values=b["pixel_values"],
        max_new_tokens=24,
        do_sample=True,
        top_k=50,
    )
print(out[:, -24:].shape, out[0, -5:].tolist())
