package io.vramlab.magics.explain;

import static io.vramlab.magics.explain.PyTorchReasoning.both;

import java.util.List;

/** A TPU's core: nothing is cached, and a program's memory is known when it is compiled. */
record TpuReasoning(Message message) implements Reasoning {

    @Override
    public Result result() {
        Amount tried = message.amount(Role.TRIED).orElseThrow();
        boolean program = message.form().equals(TpuMessages.PROGRAM);
        Amount room = message.amount(program ? Role.CAPACITY : Role.FREE).orElseThrow();
        Conclusion missing = Conclusion
                .proven(both(tried) + " - " + both(room) + " = " + both(tried.minus(room)) + " are missing.");
        return new Result(program
                ? "The compiled program needs more than the TPU's core has."
                : "The TPU's core had " + both(room) + " left of the " + both(tried) + " asked for.",
                program
                        ? List.of(missing,
                                Conclusion
                                        .proven("It was found by the compiler: it fails however little else is held."))
                        : List.of(missing),
                List.of("jax.profiler.save_device_memory_profile(\"memory.prof\")  # before the line that fails",
                        "print(jax.jit(step).lower(*args).compile().memory_analysis())  # what the step's program needs"),
                "The first names the lines that hold arrays (pprof memory.prof), the second the program's arguments, results and temporaries.");
    }
}
