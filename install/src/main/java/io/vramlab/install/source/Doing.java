package io.vramlab.install.source;

import java.util.regex.Pattern;

/** What a line that asks for memory does, by the words that it does it with. */
public enum Doing {
    /** Multiplies matrices, or whatever an index notation says. */
    MULTIPLIES("\\w @ \\w|\\b(mat|b?)mm\\(|matmul\\(|einsum\\(|baddbmm\\(|tensordot\\("),
    /** Puts something on the GPU, or makes it there of another type. */
    PLACES("\\.(to|cuda)\\("),
    /** Makes a tensor by its size. */
    MAKES("\\b(new_)?(empty|zeros|ones|full|randn?|randint|arange|eye)(_like)?\\("),
    /** Copies. */
    COPIES("\\.(clone|contiguous|repeat|expand)\\(|deepcopy\\("),
    /** Joins. */
    JOINS("\\b(cat|concat|stack|hstack|vstack|pad)\\("),
    /** Makes a type of another width. */
    WIDENS("\\.(float|double|half|bfloat16|long)\\("),
    /** Makes probabilities. */
    NORMALISES("softmax\\(|sigmoid\\(|logsumexp\\("),
    /** Orders or finds. */
    ORDERS("\\b(sort|argsort|topk|unique|nonzero|where|gather|index_select|searchsorted)\\("),
    /** Compares all with all. */
    PAIRS("\\b(cdist|pdist|outer|one_hot)\\(|\\[:, None|\\bNone\\]|unsqueeze\\("),
    /** Transforms a signal. */
    TRANSFORMS("\\bi?r?fft\\w*\\(|stft\\(|unfold\\("),
    /** Makes a picture of another size. */
    RESIZES("interpolate\\(|resize\\(|upsample"),
    /** Loads a file. */
    LOADS("\\bload\\w*\\("),
    /** Runs a backward pass. */
    GOES_BACK("\\.backward\\(|autograd\\.grad\\("),
    /** Makes an optimizer's step. */
    STEPS("\\.step\\("),
    /** Computes a loss. */
    LOSES("(?i)loss|criterion|cross_entropy|\\bcrit\\("),
    /** Gives a name's entry or attribute something. */
    PUTS("^[\\w.]*(self\\.\\w+|\\]) = "),
    /** Gives what it computes back to who called. */
    RETURNS("^return\\b");

    private final Pattern pattern;

    Doing(String pattern) {
        this.pattern = Pattern.compile(pattern);
    }

    /** Whether a statement does it. */
    public boolean isIn(String text) {
        return pattern.matcher(text).find();
    }
}
