package io.vramlab.footprint;

import io.vramlab.device.ConvolutionHeuristics.Answer;
import io.vramlab.device.DType;
import io.vramlab.device.DeviceProperties;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * The workspace that cuDNN takes for a convolution, as its heuristics choose it on an H200 (cuDNN 9.19): an estimate. It
 * consists of what cuDNN turns into another order of memory (the input, the weight, the output, their channels padded to
 * vectors of 16 bytes), of float32 pieces of a weight's gradient, and of a few bytes. Which of these a shape takes is learnt
 * from recordings: {@link ConvolutionTrees}. docs/footprint.md, "Convolutions", has the errors.
 */
public final class ConvolutionWorkspace {

    private static final long UNASKED = -1;

    private static final int RECORDED_MAJOR = 9;
    private static final long MOST_COPIES = 1L << 29;
    private static final long VECTOR = 16;
    private static final long SMALL = 1024;
    /** Partial sums: a tile for each multiprocessor of an H200. */
    private static final long MULTIPROCESSORS = 132;
    private static final long TILE = 128;
    private static final long TILE_BYTES = TILE * TILE * Float.BYTES;
    private static final long TILES_AT_ONCE = 2;
    private static final long COUNTERS = 131;

    private ConvolutionWorkspace() {
    }

    /** What a product takes and gives back on that GPU. */
    public static Footprint of(Convolution c, DeviceProperties device) {
        long bytes = isRecorded(c) && isOfRecordings(device)
                ? bytes(c)
                : bytes(c, ConvolutionAnswers.of(c, device), device);
        return bytes == 0 ? Footprint.NOTHING : new Footprint.Steps().pass(bytes).done();
    }

    /** Bytes of the workspace; 0 for none. */
    public static long bytes(Convolution c) {
        return bytes(c, Optional.empty(), null);
    }

    /**
     * Bytes of the workspace where cuDNN's heuristics were asked on a machine without a GPU.
     *
     * @param answer
     *            what they said, if they were asked; it counts where the very shape was not recorded on an H200, and on a GPU of
     *            another compute capability before such a recording
     * @param device
     *            the GPU that they were asked about
     */
    public static long bytes(Convolution c, Optional<Answer> answer, DeviceProperties device) {
        if (isOfAnother(c, answer, device)) {
            return isPlain(c) && copies(c) <= MOST_COPIES ? copies(c) : answer.get().bytes();
        }
        String recorded = ConvolutionRecordings.recorded(c, c.dtype());
        if (recorded == null && !isAnswered(c, answer)) {
            recorded = ConvolutionRecordings.recorded(c, twin(c));
        }
        if (recorded != null) {
            long taken = ofParts(c, recorded);
            boolean told = answer.isPresent() && answer.get().isWayKnown() && Processors.isH100(device);
            return told && !isProduct(c) && !hasGroupOfEach(c)
                    ? StreamedTiles.onH100(c, answer.get(), device, taken)
                    : taken;
        }
        if (OfferedEngines.all(answer)) {
            return OfferedEngines.bytes(c, answer.get(), device);
        }
        OptionalLong transformed = TransformedProducts.bytes(c, answer);
        if (transformed.isPresent()) {
            return transformed.getAsLong();
        }
        OptionalLong depthwise = DepthwiseWeights.bytes(c);
        if (depthwise.isPresent()) {
            return depthwise.getAsLong();
        }
        long counted = counted(c, answer, device);
        if (counted != UNASKED) {
            return counted;
        }
        return hasGroupOfEach(c) && c.pass() != Convolution.Pass.WEIGHT
                ? DepthwiseInputs.bytes(c)
                : ofParts(c, estimated(c));
    }

    /** Whether what an H200 took tells of that GPU; without one it does. */
    private static boolean isOfRecordings(DeviceProperties device) {
        return device == null || device.major() == RECORDED_MAJOR && device.minor() == 0;
    }

    /** Whether it was asked about a GPU of another compute capability than the recordings', and offered an engine. */
    private static boolean isOfAnother(Convolution c, Optional<Answer> answer, DeviceProperties device) {
        return !isOfRecordings(device) && answer.isPresent() && answer.get().isAbout(device)
                && (!hasGroupOfEach(c) || c.dtype() == DType.FLOAT32);
    }

    /**
     * Plain products on such a GPU, which engines on cuBLAS compute: a weight's gradient with float32 copies of the weight for each image
     * where they are not more than half a GiB, the others with nothing. So 24 public runs on an RTX 3060 and an RTX 4060 have it in
     * the memory they reserved; an H200's tree and the answers alone are further off (docs/footprint.md, "Convolutions"). Images of one
     * pixel are one product, without copies: so 1,941 of 2,409 recorded ones on an H200.
     */
    private static long copies(Convolution c) {
        return Convolution.product(c.in()) == 1 ? 0 : PlainProducts.byCublas(c);
    }

    /**
     * Answers are nearer than what the other type of 16 bits took, 93 to 90 in 100 equal; of plain products gradients of weights
     * alone, 98 to 93.
     */
    private static boolean isAnswered(Convolution c, Optional<Answer> answer) {
        boolean nearer = isPlain(c) ? c.pass() == Convolution.Pass.WEIGHT : !isProduct(c) && !hasGroupOfEach(c);
        return OfferedEngines.all(answer) || answer.isPresent() && answer.get().isWayKnown() && nearer;
    }

    /** Of what it consists where it was not recorded: as cuDNN answered without a GPU when the table was made, or as the tree has it. */
    private static String estimated(Convolution c) {
        String answered = ConvolutionRecordings.answered(c, c.dtype());
        if (answered == null) {
            answered = ConvolutionRecordings.answered(c, twin(c));
        }
        return answered != null ? answered : ConvolutionTrees.PARTS.named(group(c), features(c));
    }

    /** An answer, where what it was asked about is computed by engines that are offered without a device. */
    private static long counted(Convolution c, Optional<Answer> given, DeviceProperties device) {
        if (given.isEmpty() || hasGroupOfEach(c) && c.dtype() != DType.FLOAT32) {
            return UNASKED;
        }
        if (hasGroupOfEach(c)) {
            return given.get().bytes();
        }
        if (isProduct(c)) {
            return given.get().isWayKnown() ? product(c, given.get(), device) : UNASKED;
        }
        if (given.get().isWayKnown()) {
            return StreamedTiles.bytes(c, given.get(), device);
        }
        long answer = given.get().bytes();
        return answer % VECTOR == COUNTERS % VECTOR && !counts(c) ? answer - COUNTERS : answer;
    }

    private static long product(Convolution c, Answer answer, DeviceProperties device) {
        return isPlain(c) ? PlainProducts.bytes(c, answer, device) : ChannelsLastProducts.bytes(c, answer, device);
    }

    /**
     * Whether the blocks of a kernel count what they have done. Without a device the heuristics answer as if they always did;
     * on an H200 they do in a gradient of the input over steps, where there are more tiles than multiprocessors in 92 of 100
     * other outputs and gradients of the input, and seldom for weights.
     */
    private static boolean counts(Convolution c) {
        boolean forward = c.pass() == Convolution.Pass.FORWARD;
        if (c.pass() == Convolution.Pass.INPUT && Convolution.product(c.stride()) > 1) {
            return true;
        }
        long rows = c.batch() * Convolution.product(forward ? c.out() : c.in());
        long columns = (forward ? c.outputs() : c.channels()) / c.groups();
        return c.pass() != Convolution.Pass.WEIGHT
                && tiles(rows) * tiles(columns) * c.groups() > TILES_AT_ONCE * MULTIPROCESSORS;
    }

    private static long tiles(long n) {
        return (n + TILE - 1) / TILE;
    }

    /**
     * A group for each channel: of float32 what is answered without a device is what was on an H200, 23,891 of 23,891 products.
     * Of 16 bits outputs and gradients of the input take nothing in 16,561 of 16,736, whatever is answered.
     */
    static boolean hasGroupOfEach(Convolution c) {
        return c.groups() > 1 && c.groups() == c.channels();
    }

    /** The most that it may be: all but 2 in 100 recorded shapes take no more. */
    public static long most(Convolution c, Optional<Answer> given, DeviceProperties device) {
        if (isRecorded(c) && !isOfAnother(c, given, device)) {
            return bytes(c, given, device);
        }
        if (isOfRecordings(device) && OfferedEngines.all(given)) {
            return OfferedEngines.most(c, given.get(), device);
        }
        long answer = isProduct(c) ? UNASKED : counted(c, given, device);
        long pieces = c.pass() == Convolution.Pass.WEIGHT || answer == UNASKED ? MULTIPROCESSORS * TILE_BYTES : 0;
        long operands = answer == UNASKED ? part(c, 'x') + part(c, 'v') + part(c, 'y') + SMALL : answer;
        if (isPlain(c)) {
            pieces = Math.max(pieces, PlainProducts.byCublas(c) + SMALL);
        }
        long most = Math.max(operands + pieces, bytes(c, given, device));
        return Math.max(most, TransformedProducts.most(c, given));
    }

    /** The least: what was recorded, what cuDNN answered, or nothing. */
    public static long least(Convolution c, Optional<Answer> given, DeviceProperties device) {
        if (isRecorded(c) && !isOfAnother(c, given, device)) {
            return bytes(c, given, device);
        }
        if (isOfRecordings(device) && OfferedEngines.all(given)) {
            return OfferedEngines.least(c, given.get(), device);
        }
        long answer = isProduct(c) ? UNASKED : counted(c, given, device);
        return answer == UNASKED ? 0 : Math.min(answer, bytes(c, given, device));
    }

    private static boolean isRecorded(Convolution c) {
        return ConvolutionRecordings.recorded(c, c.dtype()) != null;
    }

    /** The other type of 16 bits, in which a shape takes the same in 9 of 10; null for others. */
    private static DType twin(Convolution c) {
        return switch (c.dtype()) {
            case FLOAT16 -> DType.BFLOAT16;
            case BFLOAT16 -> DType.FLOAT16;
            default -> null;
        };
    }

    static int element(Convolution c) {
        return Math.min(Float.BYTES, c.dtype().bytes());
    }

    private static String group(Convolution c) {
        String order = isPlain(c) ? "plain" : c.channelsLast() ? "1" : "0";
        return c.pass().ordinal() + " " + order + " " + element(c);
    }

    /** A product of matrices, which engines on cuBLAS compute. */
    static boolean isPlain(Convolution c) {
        return !c.channelsLast() && isProduct(c);
    }

    static boolean isProduct(Convolution c) {
        return c.groups() == 1 && Convolution.product(c.kernel()) == 1
                && Convolution.product(c.stride()) == 1 && Arrays.stream(c.padding()).allMatch(p -> p == 0);
    }

    /** A product in full. */
    static String key(Convolution c) {
        return c.pass() + " " + c.channelsLast() + " " + c.dtype() + " " + c.batch() + " " + layer(c);
    }

    /** A layer, without batch and dtype. */
    static String layer(Convolution c) {
        return c.channels() + " " + c.outputs() + " " + c.groups() + " " + text(c.in()) + " " + text(c.kernel())
                + " " + text(c.stride()) + " " + text(c.padding()) + " " + text(c.dilation());
    }

    private static String text(long[] sizes) {
        return Arrays.stream(sizes).mapToObj(Long::toString).collect(Collectors.joining(","));
    }

    /** A sum such as {@code xwy+16} or {@code xy3p+144}: letters are parts, a number before one says how often. */
    private static long ofParts(Convolution c, String parts) {
        int plus = parts.indexOf('+');
        if (plus < 0) {
            return Long.parseLong(parts);
        }
        long bytes = Long.parseLong(parts.substring(plus + 1));
        long times = 0;
        for (char letter : parts.substring(0, plus).toCharArray()) {
            if (Character.isDigit(letter)) {
                times = 10 * times + Character.digit(letter, 10);
            } else {
                bytes += Math.max(1, times) * part(c, letter);
                times = 0;
            }
        }
        return bytes;
    }

    private static long part(Convolution c, char letter) {
        int e = c.dtype().bytes();
        long inner = c.channels() / c.groups();
        long outer = c.outputs() / c.groups();
        long wideInner = padded(c, inner);
        long wideOuter = padded(c, outer);
        long taps = Convolution.product(c.kernel()) * c.groups();
        long x = c.batch() * Convolution.product(c.in()) * c.groups() * e;
        long y = c.batch() * Convolution.product(c.out()) * c.groups() * e;
        return switch (letter) {
            case 'x' -> x * wideInner;
            case 'X' -> x * inner;
            case 'y' -> y * wideOuter;
            case 'Y' -> y * outer;
            case 'w' -> taps * wideInner * outer * e;
            case 'v' -> taps * wideInner * wideOuter * e;
            case 'W' -> taps * inner * outer * e;
            case 'p' -> taps * inner * outer * Float.BYTES;
            case 'q' -> taps * wideInner * outer * Float.BYTES;
            case 'r' -> taps * wideInner * wideOuter * Float.BYTES;
            default -> throw new IllegalStateException("convolutions.txt.gz names the part " + letter
                    + ", which is none: fit/convolutions.py and this class differ.");
        };
    }

    private static long padded(Convolution c, long channels) {
        long vector = VECTOR / c.dtype().bytes();
        return (channels + vector - 1) / vector * vector;
    }

    /** In the order of fit/convolutions.py, which learnt from them. */
    static double[] features(Convolution c) {
        long inner = c.channels() / c.groups();
        long outer = c.outputs() / c.groups();
        long taps = Convolution.product(c.kernel());
        long in = Convolution.product(c.in());
        long cells = Convolution.product(c.out());
        long rows = c.batch() * cells;
        long vector = VECTOR / element(c);
        return new double[]{c.batch(), c.channels(), c.outputs(), c.groups(), inner, outer, taps, max(c.kernel()),
                max(c.stride()), max(c.padding()), max(c.dilation()), in, cells, c.in()[c.in().length - 1],
                c.out()[c.out().length - 1], c.in().length, truth(c.dtype() == DType.BFLOAT16), rows, c.batch() * in,
                inner * taps, rows * c.outputs(), part(c, 'X'), part(c, 'Y'), part(c, 'W'),
                truth(inner % vector == 0), truth(outer % vector == 0), truth(Arrays.equals(c.in(), c.out())),
                truth(taps == 1), truth(cells == 1), (double) rows * c.outputs() * inner * taps,
                part(c, 'x') + part(c, 'w') + part(c, 'y'),
                (rows + 127) / 128 * ((outer + 127) / 128) * c.groups()};
    }

    private static double max(long[] sizes) {
        return Arrays.stream(sizes).max().orElse(0);
    }

    private static double truth(boolean fact) {
        return fact ? 1 : 0;
    }
}
