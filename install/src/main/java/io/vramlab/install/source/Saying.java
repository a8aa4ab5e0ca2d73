package io.vramlab.install.source;

import java.util.regex.Pattern;

/** What a program's text may say somewhere: without it some causes cannot be. */
public enum Saying {
    /** A backward pass, its own or a trainer's. */
    BACKWARD(
            "backward\\(|autograd\\.grad\\(|Trainer\\(|\\.fit\\(|value_and_grad|func\\.grad\\(|\\b(jacrev|jacobian|hessian|vjp)\\("),
    /** An optimizer that keeps something for each parameter. */
    STATE("Ada[a-zA-Z]|RMSprop|Lion|L(amb|AMB|ARS)|momentum=|Rprop|LBFGS|ASGD|Muon|SOAP|Shampoo|Trainer\\(|create_optimizer|getattr\\((torch\\.)?optim"),
    /** Tensors are joined, by the program or by a library's cache of keys and values. */
    JOIN("\\b(cat|concat|concatenate|hstack|vstack|column_stack|row_stack|pad|generate|DynamicCache)\\(|past_key_values|use_cache=True"),
    /** A tensor is joined with something, and the result has its name. */
    JOIN_TO_ITSELF(
            "(?m)^(?:self\\.)?([\\w.]+)(?:\\[[^=\n]*\\])?(?:,.*)? = (?:torch\\.)?(?:\\w+\\.)?(cat|concat|vstack|hstack|pad)\\(.*\\b\\1\\b"),
    /** A library's cache of keys and values is used. */
    CACHE("\\bDynamicCache\\(|past_key_values=|use_cache=True"),
    /** Tensors are joined by the program itself. */
    JOINS("\\b(cat|concat|hstack|vstack|pad)\\("),
    /** Each of some rows beside each of others, or a row of all classes for each: far more than what is read. */
    ALL_PAIRS(
            "\\b(cdist|pdist|one_hot)\\(|\\[:, None.*-.*\\[None|\\.unsqueeze\\(1\\) - .*\\.unsqueeze\\(0\\)|\\.outer\\("),
    /** A loss of logits is computed, here or in the model that is called. */
    LOSS_OF_LOGITS("\\b(cross_entropy|nll_loss|log_softmax)\\(|\\blabels="),
    /** An optimizer is made. */
    OPTIMIZER_MADE(
            "\\boptim\\.[A-Z]\\w+\\(|\\b(Adam|AdamW|NAdam|RAdam|Adamax|RMSprop|Adagrad|LBFGS|Lion)\\(|create_optimizer\\w*\\("),
    /** An optimizer's step. */
    OPTIMIZER_STEP("(?i)\\b\\w*opt\\w*\\.step\\(|\\bscaler\\.step\\("),
    /** Weights are copied. */
    COPY("deepcopy|AveragedModel|(?i:\\bema)\\b|\\bEMA|ModelEma|load_state_dict|\\.clone\\(\\) for|\\.state_dict\\(|parameters_to_vector"),
    /** A model or its weights are copied as they are. */
    COPY_OF_ALL("deepcopy\\("),
    /** A file of weights is loaded. */
    LOAD("torch\\.load\\(|load_file\\(|safe_open\\(|load_(checkpoint|model|from_checkpoint|sharded\\w*)\\(|dcp\\.load|pickle\\.load"),
    /** A file of weights is loaded to where it was saved from, or to the GPU. */
    LOAD_TO_GPU("torch\\.load\\((?!.*map_location=(torch\\.device\\()?\"cpu)"),
    /** A stream of its own. */
    STREAM("\\b(External)?Stream\\(|cuda\\.stream\\("),
    /** What another stream still uses is let go of only when that has come so far. */
    WAITS("\\.record_stream\\("),
    /** A stream is made. */
    STREAM_MADE("\\bcuda\\.(External)?Stream\\("),
    /** How large the workspaces are is said. */
    WORKSPACES("CUBLAS_WORKSPACE_CONFIG"),
    /** Threads of its own. */
    THREAD("Thread\\(|ThreadPool|threading\\.Thread|to_thread|run_in_executor"),
    /** Threads are started, one for each of several pieces of work. */
    THREAD_STARTED("\\b(ThreadPool(Executor)?|Thread)\\("),
    /** An error is caught, or put into what a thread's result is asked of. */
    CATCH("(?m)^except\\b|suppress\\(|\\.exception\\(|\\.submit\\(|return_exceptions|executable_batch_size|auto_find_batch_size"),
    /** The cache is emptied. */
    EMPTY("empty_cache\\(|release_memory\\(|clear_device_cache\\("),
    /** Work is captured to be run again. */
    CAPTURE("CUDAGraph|cuda\\.graph\\(|make_graphed|reduce-overhead|max-autotune|cudagraphs"),
    /** Some of its tensors have a pool of their own. */
    POOL("MemPool|use_mem_pool"),
    /** Algorithms are tried first. */
    BENCHMARK("cudnn\\.benchmark\\s*=\\s*True|\\bbenchmark=True"),
    /** How much of the GPU it may have is said. */
    FRACTION("set_per_process_memory_fraction|per_process_memory_fraction"),
    /** ... and that it is less than half, as a number or by a name that is given one. */
    SMALL_FRACTION(
            "per_process_memory_fraction\\((fraction ?= ?)?0?\\.[0-4]|(?s)\\b(\\w+) ?= ?0?\\.[0-4]\\d*\\b.*per_process_memory_fraction\\((fraction ?= ?)?\\2\\b"),
    /** A graph is kept after its backward pass. */
    RETAIN("(retain|create)_graph=(?!False)"),
    /** What is kept is bounded. */
    BOUNDED("popitem|popleft|maxlen|\\.pop\\(0|\\bdel \\w+\\[|cat\\(.*\\)\\[.*-[\\w.]+:|lru_cache"),
    /** A function that a library calls with what a layer made. */
    HOOK("register_\\w*hook"),
    /** Something has to do with attention: by name, or by its softmax. */
    ATTENTION(
            "(?i)softmax|attention|attn|sdpa|transformer|bert|gpt|llama|vit_|vit(model|config)|t5|unet|swin|deit|clip(model|config|text|vision)|whisper|\\bbart|qwen|mistral|gemma|phi3?(model|config|for)|opt(config|for|model)|bloom|wav2vec|detr|qkv|masked_fill"),
    /** Something has to do with classes or with a vocabulary. */
    CLASSES(
            "(?i)cross_?entropy|nll_?loss|softmax|logsumexp|logit|labels|kl_?div|vocab|\\bctc|one_hot|argmax|For(CausalLM|MaskedLM|ConditionalGeneration)|LMHead|num_classes"),
    /** A layer is told to write its attention's scores. */
    EAGER_SET("attn_implementation\\W+eager|output_attentions\\W+True|SDPBackend\\.MATH|need_weights=True"),
    /** An attention that writes its scores is asked for. */
    EAGER_ATTENTION(
            "attn_implementation\\W+eager|output_attentions\\W+True|SDPBackend\\.MATH|need_weights=True|MultiheadAttention");

    private final Pattern pattern;

    Saying(String pattern) {
        this.pattern = Pattern.compile(pattern);
    }

    /** Whether a text says it. */
    public boolean isIn(String text) {
        return pattern.matcher(text).find();
    }
}
