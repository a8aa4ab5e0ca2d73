# limit: 2.5
# attention rollout at several input resolutions, ViT from a config
import torch
from transformers import ViTConfig, ViTModel

torch.manual_seed(0)
device = "cuda"


def build():
    cfg = ViTConfig(hidden_size=128, num_hidden_layers=4, num_attention_heads=4,
                    intermediate_size=256, image_size=128, patch_size=8,
                    attn_implementation="eager")
    return ViTModel(cfg, add_pooling_layer=False).to(device).eval()


def rollout(attn_maps):
    """Abnar & Zuidema 2020"""
    result = None
    for a in attn_maps:
        a = a.mean(1)
        a = a + torch.eye(a.shape[-1], device=a.device)
        a = a / a.sum(-1, keepdim=True)
        result = a if result is None else a @ result
    return result[:, 0, 1:]


@torch.inference_mode()
def saliency(model, images):
    out = model(pixel_values=images, output_attentions=True,
                interpolate_pos_encoding=True)
    heat = rollout(out.attentions)
    side = int(heat.shape[-1] ** 0.5)
    return heat.view(-1, side, side)


def main():
    model = build()
    for res in (128, 192, 256, 384, 512):
        heat_sum = 0.0
        for batch in range(3):
            images = torch.rand(4, 3, res, res, device=device)
            heat = saliency(model, images)
            heat_sum += heat.max().item()
        print(f"res {res}: map {tuple(heat.shape[1:])}, peak weight {heat_sum / 3:.5f}")


main()
