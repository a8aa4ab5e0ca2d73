package io.vramlab.magics;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Draws cells that make, share, keep, lose and free tensors, by every way that Java has, some of them failing. */
final class RandomCells {

    /** What the cells use; each of the variables always holds a tensor of [8, n]. */
    static final String BEGIN = """
            Tensor v0 = Tensor.ones(8, 16), v1 = Tensor.ones(8, 32), v2 = Tensor.ones(8, 64), v3 = Tensor.ones(8, 128);
            List<Tensor> kept = new ArrayList<>();
            Map<String, Tensor> named = new HashMap<>();
            Tensor[] slots = new Tensor[4];
            class Holder { Tensor tensor; static Tensor latest; Holder(Tensor t) { tensor = t; } Tensor twice() { return tensor.add(tensor); } }
            var holders = new ArrayDeque<Holder>();
            var net = new Sequential(new Linear(16, 32), new ReLU(), new Linear(32, 4));
            var optimizer = new Adam(net.parameters(), 1e-3);
            Supplier<Tensor> later = () -> v0;
            """;

    /** Lets go of everything that {@link #BEGIN} and the cells keep. */
    static final String END = """
            v0 = null; v1 = null; v2 = null; v3 = null;
            kept = null; named = null; slots = null; holders = null; Holder.latest = null; later = null; net = null; optimizer = null;
            """;

    /** Cells; {@code @a} and {@code @b} are variables, {@code @n} a width, {@code @s} a slot. */
    private static final List<String> KINDS = List.of(
            "Tensor @a = Tensor.zeros(8, @n);",
            "var @a = Tensor.randn(8, @n);",
            "@a = @b.add(1);",
            "@a = @b.clone().relu();\n@a.shape()",
            "@b.add(@b).mul(2).sum()",
            "@b.view(-1)",
            "kept.add(@a);",
            "kept.add(@b.slice(1, 0, 8));",
            "kept.add(@b.t());\n@a = Tensor.ones(8, @n);",
            "if (kept.size() > 5) { kept.clear(); }",
            "if (!kept.isEmpty()) { kept.removeFirst().close(); }\n@a = Tensor.ones(8, @n);\n@b = Tensor.ones(8, @n);"
                    + "\nkept.removeIf(t -> true);",
            "named.put(\"n@s\", @a);\nnamed.remove(\"n2\");",
            "slots[@s] = @a.contiguous();",
            "slots[@s] = null;",
            "holders.add(new Holder(@a));\nif (holders.size() > 4) { holders.poll(); }",
            "Holder.latest = new Holder(@a).twice();",
            "for (int i = 0; i < 5; i++) { Tensor lost = Tensor.zeros(64, @n); lost.add(i); }",
            "for (int i = 0; i < 5; i++) { try (Tensor t = Tensor.zeros(64, @n)) { t.add(i).close(); } }",
            "try (var scope = Scope.open()) { @b.add(1).mul(3).sum(); }",
            "IntStream.range(0, 3).mapToObj(i -> @b.mul(i)).map(Tensor::sum).toList()",
            "later = () -> @a;\nlater.get().numel()",
            "{ var seen = @b.add(1); later = () -> seen; }",
            "var loss = net.call(Tensor.randn(4, 16)).sum();\nloss.backward();",
            "net.call(Tensor.randn(4, 16)).sum().backward();\noptimizer.step();\noptimizer.zeroGrad();",
            "try (var off = new NoGrad()) { net.call(Tensor.ones(2, 16)); }",
            "Thread thread = new Thread(() -> Tensor.zeros(8, @n).add(@b.sum()));\nthread.start();\nthread.join();",
            "Tensor half = @b.add(1);\nthrow new IllegalStateException(\"half way\");",
            "Tensor unfinished = @b.add(Tensor.ones(7, 7, 7));",
            "Tensor.zeros(8, @n).view(5, 5)",
            "Tensor.zeros(1L << 40)",
            "@a = @b.nothing();",
            "int @a_ = \"no\";",
            "Tensor passing(Tensor t) { return t.add(@n); }\npassing(@b)",
            "class Passing { Tensor t = Tensor.ones(@n); }\nvar object = new Passing();",
            "record Pair(Tensor left, Tensor right) { }\nvar pair = new Pair(@a, @b.mul(2));",
            "%reset object pair half unfinished loss thread",
            "%gc", "%track", "%holds @a", "%empty_cache", "%memory_summary --abbreviated", "%who");

    private final Random random;

    RandomCells(long seed) {
        random = new Random(seed);
    }

    /** One to three kinds of cells in one. */
    String next() {
        return IntStream.range(0, 1 + random.nextInt(8) / 6).mapToObj(i -> kind()).collect(Collectors.joining("\n"));
    }

    private String kind() {
        return KINDS.get(random.nextInt(KINDS.size()))
                .replace("@a", "v" + random.nextInt(4)).replace("@b", "v" + random.nextInt(4))
                .replace("@n", String.valueOf(16 << random.nextInt(8)))
                .replace("@s", String.valueOf(random.nextInt(4)));
    }
}
