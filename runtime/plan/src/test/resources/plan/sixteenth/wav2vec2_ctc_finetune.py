"""CTC fine-tuning of a small wav2vec2 on utterances of variable length (random audio), HF Trainer in fp16."""
import tempfile

import torch
from torch.utils.data import Dataset
from transformers import Trainer, TrainingArguments, Wav2Vec2Config, Wav2Vec2ForCTC, set_seed

SR = 16000
VOCAB = 32
MIN_S, MAX_S = 1.5, 5.0
BATCH = 6
N = 30


class Utterances(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        dur = torch.rand(n, generator=g) * (MAX_S - MIN_S) + MIN_S
        self.lens = (dur * SR).long().tolist()
        self.seed = seed

    def __len__(self):
        return len(self.lens)

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(self.seed * 7919 + i)
        wav = torch.randn(self.lens[i], generator=g)
        wav = (wav - wav.mean()) / (wav.std() + 1e-7)
        n_chars = max(4, int(self.lens[i] / SR * 9))
        return wav, torch.randint(1, VOCAB, (n_chars,), generator=g)


def collate(batch):
    wavs, labels = zip(*batch)
    x = torch.nn.utils.rnn.pad_sequence(wavs, batch_first=True)
    mask = torch.zeros(x.shape, dtype=torch.long)
    for i, w in enumerate(wavs):
        mask[i, : len(w)] = 1
    y = torch.nn.utils.rnn.pad_sequence(labels, batch_first=True, padding_value=-100)
    return {"input_values": x, "attention_mask": mask, "labels": y}


def edit_distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        prev, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            prev, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, prev + (x != y))
    return row[-1]


def compute_metrics(pred):
    errors = total = 0
    for ids, ref in zip(pred.predictions, pred.label_ids):
        hyp, last = [], None
        for t in ids.tolist():
            if t != last and t > 0:
                hyp.append(t)
            last = t
        ref = [t for t in ref.tolist() if t != -100]
        errors += edit_distance(hyp, ref)
        total += len(ref)
    return {"cer": errors / total}


def main():
    set_seed(13)
    config = Wav2Vec2Config(
        vocab_size=VOCAB, hidden_size=512, num_hidden_layers=6, num_attention_heads=8, intermediate_size=2048,
        feat_extract_norm="group", ctc_loss_reduction="mean", ctc_zero_infinity=True, pad_token_id=0,
        mask_time_prob=0.05, mask_time_length=10, mask_feature_prob=0.0, layerdrop=0.0)
    model = Wav2Vec2ForCTC(config)
    with tempfile.TemporaryDirectory() as out:
        args = TrainingArguments(
            output_dir=out, per_device_train_batch_size=BATCH, gradient_accumulation_steps=2,
            per_device_eval_batch_size=3, num_train_epochs=1, learning_rate=1e-4, weight_decay=0.01, warmup_steps=1,
            fp16=True, logging_steps=1, eval_strategy="epoch", save_strategy="epoch", save_only_model=True,
            report_to=[], disable_tqdm=True, remove_unused_columns=False, label_names=["labels"], seed=13)
        trainer = Trainer(
            model=model, args=args, data_collator=collate, train_dataset=Utterances(N, 1),
            eval_dataset=Utterances(6, 2), compute_metrics=compute_metrics,
            preprocess_logits_for_metrics=lambda logits, labels: logits.argmax(-1))
        trainer.train()
    print(f"peak {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
