package io.vramlab.bench;

import io.vramlab.nn.AdaptiveAvgPool2d;
import io.vramlab.nn.BatchNorm2d;
import io.vramlab.nn.Conv2d;
import io.vramlab.nn.Embedding;
import io.vramlab.nn.LSTM;
import io.vramlab.nn.LayerNorm;
import io.vramlab.nn.Linear;
import io.vramlab.nn.MaxPool2d;
import io.vramlab.nn.Module;
import io.vramlab.nn.ModuleList;
import io.vramlab.nn.Sequential;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** The networks of {@link ModelStepBench}, as speed.py has them. */
final class BenchedModels {

    private BenchedModels() {
    }

    static final class Bottleneck extends Module {
        private final Conv2d conv1;
        private final BatchNorm2d bn1;
        private final Conv2d conv2;
        private final BatchNorm2d bn2;
        private final Conv2d conv3;
        private final BatchNorm2d bn3;
        private final Sequential down;

        Bottleneck(int in, int width, int stride) {
            conv1 = new Conv2d(in, width, 1, 1, 0, false);
            bn1 = new BatchNorm2d(width);
            conv2 = new Conv2d(width, width, 3, stride, 1, false);
            bn2 = new BatchNorm2d(width);
            conv3 = new Conv2d(width, 4 * width, 1, 1, 0, false);
            bn3 = new BatchNorm2d(4 * width);
            down = stride != 1 || in != 4 * width
                    ? new Sequential(new Conv2d(in, 4 * width, 1, stride, 0, false), new BatchNorm2d(4 * width))
                    : null;
        }

        @Override
        public Tensor forward(Tensor x) {
            Tensor y = bn1.call(conv1.call(x)).relu_();
            y = bn2.call(conv2.call(y)).relu_();
            y = bn3.call(conv3.call(y));
            y.add_(down == null ? x : down.call(x));
            return y.relu_();
        }
    }

    static final class ResNet50 extends Module {
        private static final int[] DEPTH = {3, 4, 6, 3};

        private final Conv2d conv1 = new Conv2d(3, 64, 7, 2, 3, false);
        private final BatchNorm2d bn1 = new BatchNorm2d(64);
        private final MaxPool2d pool = new MaxPool2d(3, 2, 1);
        private final ModuleList blocks = new ModuleList();
        private final AdaptiveAvgPool2d mean = new AdaptiveAvgPool2d(1, 1);
        private final Linear fc;

        ResNet50(int classes) {
            int in = 64;
            for (int stage = 0; stage < DEPTH.length; stage++) {
                for (int i = 0; i < DEPTH[stage]; i++) {
                    blocks.append(new Bottleneck(in, 64 << stage, stage > 0 && i == 0 ? 2 : 1));
                    in = 4 * (64 << stage);
                }
            }
            fc = new Linear(in, classes);
        }

        @Override
        public Tensor forward(Tensor x) {
            Tensor y = pool.call(bn1.call(conv1.call(x)).relu_());
            for (Module block : blocks) {
                y = block.call(y);
            }
            return fc.call(mean.call(y).flatten(1, -1));
        }
    }

    static final class Block extends Module {
        private static final int HEADS = 12;

        private final LayerNorm ln1;
        private final Linear attention;
        private final Linear projection;
        private final LayerNorm ln2;
        private final Linear wide;
        private final Linear narrow;

        Block(int d) {
            ln1 = new LayerNorm(d);
            attention = new Linear(d, 3 * d);
            projection = new Linear(d, d);
            ln2 = new LayerNorm(d);
            wide = new Linear(d, 4 * d);
            narrow = new Linear(4 * d, d);
        }

        @Override
        public Tensor forward(Tensor x) {
            long n = x.size(0);
            long length = x.size(1);
            long d = x.size(2);
            Tensor[] qkv = Functional.split(attention.call(ln1.call(x)), d, 2);
            for (int i = 0; i < qkv.length; i++) {
                qkv[i] = qkv[i].view(n, length, HEADS, d / HEADS).transpose(1, 2);
            }
            Tensor y = Functional.scaledDotProductAttention(qkv[0], qkv[1], qkv[2], true);
            Tensor mixed = x.add(projection.call(y.transpose(1, 2).contiguous().view(n, length, d)));
            return mixed.add(narrow.call(wide.call(ln2.call(mixed)).gelu()));
        }
    }

    /** GPT-2 small, its head tied to the embedding. */
    static final class Gpt extends Module {
        static final int WORDS = 50_304;
        static final int LENGTH = 1024;
        private static final int WIDTH = 768;
        private static final int BLOCKS = 12;

        private final Embedding words = new Embedding(WORDS, WIDTH);
        private final Embedding positions = new Embedding(LENGTH, WIDTH);
        private final ModuleList blocks = new ModuleList();
        private final LayerNorm last = new LayerNorm(WIDTH);

        Gpt() {
            for (int i = 0; i < BLOCKS; i++) {
                blocks.append(new Block(WIDTH));
            }
        }

        @Override
        public Tensor forward(Tensor x) {
            Tensor y = words.call(x).add(positions.call(Tensor.arange(LENGTH)));
            for (Module block : blocks) {
                y = block.call(y);
            }
            return Functional.linear(last.call(y), words.weight, null);
        }
    }

    static final class LstmLm extends Module {
        static final int WORDS = 10_000;
        private static final int WIDTH = 1024;

        private final Embedding words = new Embedding(WORDS, WIDTH);
        private final LSTM lstm = new LSTM(WIDTH, WIDTH, 2);
        private final Linear out = new Linear(WIDTH, WORDS);

        @Override
        public Tensor forward(Tensor x) {
            return out.call(lstm.call(words.call(x)));
        }
    }
}
