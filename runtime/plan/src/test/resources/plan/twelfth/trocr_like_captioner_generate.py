"""OCR-style image->text: ViT encoder + TrOCR decoder from configuration, teacher forcing then beam search."""
import torch
from torch.utils.data import DataLoader, Dataset
from transformers import (TrOCRConfig, TrOCRForCausalLM, VisionEncoderDecoderModel, ViTConfig, ViTModel,
                          get_linear_schedule_with_warmup)

VOCAB, MAXLEN = 4000, 48
BATCH, STEPS = 16, 4
PAD, BOS, EOS = 1, 0, 2


class LineImages(Dataset):
    def __len__(self):
        return BATCH * STEPS

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        n = int(torch.randint(8, MAXLEN - 2, (1,), generator=g))
        ids = torch.full((MAXLEN,), -100)
        ids[:n] = torch.randint(3, VOCAB, (n,), generator=g)
        ids[n] = EOS
        return torch.randn(3, 224, 224, generator=g), ids


def build():
    enc = ViTModel(ViTConfig(hidden_size=384, num_hidden_layers=12, num_attention_heads=6,
                             intermediate_size=1536, image_size=224, patch_size=16), add_pooling_layer=False)
    dec = TrOCRForCausalLM(TrOCRConfig(vocab_size=VOCAB, d_model=512, decoder_layers=6, decoder_attention_heads=8,
                                       decoder_ffn_dim=2048, cross_attention_hidden_size=384, is_decoder=True,
                                       add_cross_attention=True, max_position_embeddings=128,
                                       pad_token_id=PAD, bos_token_id=BOS, eos_token_id=EOS,
                                       decoder_start_token_id=BOS))
    model = VisionEncoderDecoderModel(encoder=enc, decoder=dec)
    model.config.decoder_start_token_id = BOS
    model.config.pad_token_id = PAD
    model.config.eos_token_id = EOS
    return model


def main():
    torch.manual_seed(21)
    dev = torch.device("cuda")
    model = build().to(dev)
    print("params %.1fM" % (sum(p.numel() for p in model.parameters()) / 1e6))
    opt = torch.optim.AdamW(model.parameters(), lr=5e-5, fused=True)
    sched = get_linear_schedule_with_warmup(opt, 1, STEPS)
    scaler = torch.amp.GradScaler(dev.type)
    model.train()
    for pixels, labels in DataLoader(LineImages(), batch_size=BATCH):
        pixels, labels = pixels.to(dev), labels.to(dev)
        with torch.autocast(dev.type, dtype=torch.float16):
            loss = model(pixel_values=pixels, labels=labels).loss
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
        sched.step()
        opt.zero_grad()
        print("loss", round(loss.item(), 4))

    model.eval()
    with torch.inference_mode():
        out = model.generate(pixel_values=pixels[:8], num_beams=4, max_new_tokens=24, do_sample=False,
                             decoder_start_token_id=BOS, pad_token_id=PAD, eos_token_id=EOS)
    print("generated", tuple(out.shape))
    print("peak", torch.cuda.max_memory_allocated() // 2**20, "MiB")


if __name__ == "__main__":
    main()
