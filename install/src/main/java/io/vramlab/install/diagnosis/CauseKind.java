package io.vramlab.install.diagnosis;

/** The kinds of cause that are told apart. */
public enum CauseKind {
    /** Tensors of every step are kept, with all that their graph needs. */
    GRAPH_KEPT("graph-kept", "a leak: each step's results are kept with their graph, and so are its activations",
            "keep numbers (loss.item()) or detached copies (y.detach(), .cpu()); evaluate under torch.no_grad()"),
    /** Tensors of every step are kept, without a graph. */
    TENSORS_KEPT("tensors-kept", "a leak: tensors of each step are kept",
            "let go of them, keep a bounded number, or move them to the CPU"),
    /** A step piles up the results of several smaller ones before it lets go of them. */
    ACCUMULATION("accumulation", "one step piles up the graphs of several smaller ones until its backward pass",
            "call backward() for each micro-batch: gradients add up, graphs need not"),
    /** A tensor grows by being copied. */
    GROWN_BY_CAT("grown-by-cat", "a tensor grows by being copied: the old and the longer one are there at once",
            "allocate it once at its final size and write into it, or keep parts and join them once"),
    /** A tensor and what is computed from it under the same name. */
    OLD_AND_NEW("old-and-new", "old and new at once: x = f(x) holds both until f is done",
            "work in place (x.mul_(...)), in parts, or delete what is no longer needed before"),
    /** One request is larger than all else. */
    ONE_OPERATION("one-operation", "one operation asks for more than all the rest",
            "do it in parts (chunks of the rows), or by a function that does not write its intermediate result"),
    /** A file's tensors beside the model that they were loaded into. */
    CHECKPOINT("checkpoint-beside-model", "a checkpoint is kept on the GPU beside the model loaded from it",
            "torch.load(..., map_location=\"cpu\"), and del checkpoint once it is loaded"),
    /** Two sets of equal sizes. */
    TWO_SETS("two-sets", "two equal sets of weights are on the GPU",
            "keep the second (teacher, average, best weights) on the CPU or in half precision; of a model made again, let go"
                    + " of the first before (del model)"),
    /** Optimizers make their state at the first step. */
    OPTIMIZER("optimizer-first-step", "the optimizer's state, which is made at its first step",
            "an optimizer with less state (SGD, Adafactor, 8-bit Adam), or foreach=False against its temporaries"),
    /** What the backward pass needs of the forward pass. */
    ACTIVATIONS("activations", "the activations of one step are more than there is room for",
            "smaller batches with gradient accumulation, checkpointing, mixed precision; torch.no_grad() where nothing is trained"),
    /** Scores of a large vocabulary and their loss. */
    LOGITS("logits", "the logits and their loss: tokens times vocabulary, several times over",
            "compute the loss in chunks of the tokens, or with a fused loss that does not write all logits"),
    /** Scores of every token with every other. */
    ATTENTION("attention", "attention scores: they grow with the square of the length",
            "scaled_dot_product_attention (attn_implementation=\"sdpa\", need_weights=False), which does not write them"),
    /** The weights alone. */
    LIMIT("limit", "the limit: the program needs more at once than it may have",
            "a smaller model or type, a larger limit, or another GPU"),
    /** Sizes vary, and what is cached fits the next ones badly. */
    FRAGMENTATION_SIZES("fragmentation-sizes",
            "fragmentation: sizes vary from step to step, and what is cached does not fit the next",
            "expandable_segments:True, or sizes padded to few lengths"),
    /** Small blocks hold large segments. */
    FRAGMENTATION_PINNED("fragmentation-pinned", "fragmentation: long-lived blocks hold segments that are else free",
            "make what stays before the rest, or copy it (x.clone()) once the rest is let go of, so that it lies together"),
    /** Cached for another stream, or waiting for one. */
    STREAMS("streams", "streams or pools: what is free is cached for another, or waits for a stream",
            "make large tensors on one stream and in the default pool (let go of a MemPool that is done), and let streams wait for each other before more is asked for"),
    /** Cached for captured graphs. */
    GRAPHS("graphs", "CUDA graphs: what is free belongs to their private pools",
            "share one pool among captures (torch.cuda.graph(..., pool=...)), capture the largest first, let go of unused graphs"),
    /** The program empties the cache again and again. */
    CACHE_EMPTIED("cache-emptied", "the cache is emptied again and again, which costs time and saves nothing",
            "leave out torch.cuda.empty_cache(): the allocator reuses what it caches"),
    /** Requests failed and left memory behind. */
    FAILURES("failures-left", "requests that failed left memory behind: an exception keeps its frames' tensors",
            "let go of the exception (del error, no list of them) before trying again, and retry outside of the except block"),
    /** Workspaces that look like a leak. */
    WORKSPACE("workspace", "no leak: what stays are the libraries' workspaces, one for each stream that multiplies",
            "CUBLAS_WORKSPACE_CONFIG=:0:0 does without, at a cost; fewer streams need fewer"),
    /** The first steps need more than the later. */
    WARM_UP("warm-up", "a warm-up: the first step tries algorithms that need more than the later steps",
            "torch.backends.cudnn.benchmark=False, or warm up at the largest size first, before all else is there"),
    /** Nothing. */
    HEALTHY("healthy", "nothing is wrong: what is in use neither grows without end nor lies scattered", "");

    private final String id;
    private final String text;
    private final String advice;

    CauseKind(String id, String text, String advice) {
        this.id = id;
        this.text = text;
        this.advice = advice;
    }

    /** A name for programs. */
    public String id() {
        return id;
    }

    /** In words. */
    public String text() {
        return text;
    }

    /** What is usually done about it; empty for {@link #HEALTHY}. */
    public String advice() {
        return advice;
    }
}
