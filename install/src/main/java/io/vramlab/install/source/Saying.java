package io.vramlab.install.source;

import java.util.regex.Pattern;

/** What a program's text may say somewhere: without it some causes cannot be. */
public enum Saying {
    /** A backward pass, its own or a trainer's. */
    BACKWARD("backward\\(|autograd\\.grad\\(|Trainer\\(|\\.fit\\(|value_and_grad|func\\.grad\\("),
    /** An optimizer that keeps something for each parameter. */
    STATE("Adam|RMSprop|Adagrad|Adadelta|Lion|Lamb|momentum=|Rprop|LBFGS|Trainer\\("),
    /** Tensors are joined. */
    JOIN("\\b(cat|concat|concatenate|hstack|vstack|column_stack|row_stack|pad)\\("),
    /** A tensor is joined with something, and the result has its name. */
    JOIN_TO_ITSELF(
            "(?m)^(?:self\\.)?([\\w.]+)(?:\\[[^=\n]*\\])?(?:,.*)? = (?:torch\\.)?(?:\\w+\\.)?(cat|concat|vstack|hstack|pad)\\(.*\\b\\1\\b"),
    /** Weights are copied. */
    COPY("deepcopy|AveragedModel|\\bema\\b|\\bEMA|load_state_dict|\\.clone\\(\\) for|\\.state_dict\\("),
    /** A file of weights is loaded. */
    LOAD("torch\\.load\\(|load_file\\(|safe_open\\("),
    /** A file of weights is loaded to where it was saved from, or to the GPU. */
    LOAD_TO_GPU("torch\\.load\\((?!.*map_location=(torch\\.device\\()?\"cpu)"),
    /** A stream of its own. */
    STREAM("\\bStream\\("),
    /** Threads of its own. */
    THREAD("Thread\\(|ThreadPool|threading\\.Thread"),
    /** An error is caught. */
    CATCH("(?m)^except\\b"),
    /** The cache is emptied. */
    EMPTY("empty_cache\\("),
    /** Work is captured to be run again, or has a pool of its own. */
    CAPTURE("CUDAGraph|cuda\\.graph\\(|make_graphed|reduce-overhead|MemPool|use_mem_pool"),
    /** Algorithms are tried first. */
    BENCHMARK("cudnn\\.benchmark\\s*=\\s*True"),
    /** A graph is kept after its backward pass. */
    RETAIN("retain_graph=True|create_graph=True"),
    /** What is kept is bounded. */
    BOUNDED("popitem|popleft|maxlen|\\.pop\\(0|\\bdel \\w+\\[|cat\\(.*\\)\\[.*-\\w+:|lru_cache"),
    /** A function that a library calls with what a layer made. */
    HOOK("register_\\w*hook"),
    /** Something has to do with attention: by name, or by its softmax. */
    ATTENTION("(?i)softmax|attention|attn|sdpa|transformer|bert|gpt|llama|vit_|t5|unet"),
    /** An attention that writes its scores is asked for. */
    EAGER_ATTENTION(
            "attn_implementation\\W+eager|output_attentions\\W+True|SDPBackend\\.MATH|need_weights=True|MultiheadAttention");

    private final Pattern pattern;

    Saying(String pattern) {
        this.pattern = Pattern.compile(pattern);
    }

    boolean isIn(String text) {
        return pattern.matcher(text).find();
    }
}
