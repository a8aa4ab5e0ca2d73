# limit: 2.2
"""Whisper-like model from scratch, utterances bucketed by transcript length."""
import logging

import torch
from transformers import WhisperConfig, WhisperForConditionalGeneration

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
log = logging.getLogger("whisper")
torch.manual_seed(10)
DEV = torch.device("cuda")


def build_model():
    cfg = WhisperConfig(
        vocab_size=51865, d_model=384, encoder_layers=4, decoder_layers=4, encoder_attention_heads=6,
        decoder_attention_heads=6, encoder_ffn_dim=1536, decoder_ffn_dim=1536,
        max_source_positions=300, max_target_positions=448, num_mel_bins=80)
    return WhisperForConditionalGeneration(cfg).to(DEV)


class Collator:
    def __init__(self, batch_size=8):
        self.bs = batch_size

    def __call__(self, n_tokens):
        mel = torch.randn(self.bs, 80, 600)
        labels = torch.randint(0, 50000, (self.bs, n_tokens))
        return {"input_features": mel.to(DEV), "labels": labels.to(DEV)}


class Seq2SeqTrainer:
    def __init__(self, model, collate, lr=5e-4):
        self.model, self.collate = model, collate
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr)
        self.global_step = 0

    def training_step(self, n_tokens):
        out = self.model(**self.collate(n_tokens))
        out.loss.backward()
        self.opt.step()
        self.opt.zero_grad(set_to_none=True)
        self.global_step += 1
        return out.loss.item()

    def train(self, buckets):
        self.model.train()
        for n_tokens, steps in buckets:
            for _ in range(steps):
                loss = self.training_step(n_tokens)
            log.info("step %d bucket %d loss %.3f", self.global_step, n_tokens, loss)


Seq2SeqTrainer(build_model(), Collator()).train([(32, 15), (64, 15), (96, 10), (128, 10), (448, 10)])
