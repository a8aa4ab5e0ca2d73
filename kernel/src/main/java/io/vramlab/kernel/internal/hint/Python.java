package io.vramlab.kernel.internal.hint;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is Python, and how Java says it. */
final class Python {

    /** How a line looks, and what to write. */
    record Phrase(Pattern looks, String hint) {
    }

    private static final Pattern STRING = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"");
    private static final Pattern COMMENT = Pattern.compile("//.*");

    /** The first that fits counts; they see lines without comments and with empty strings. */
    static final List<Phrase> PHRASES = phrases();

    private Python() {
    }

    /**
     * What to write in place of a line.
     *
     * @param about
     *            the name that the matter is about; empty if all of the line is
     */
    static Optional<String> hint(String line, String about) {
        String code = COMMENT.matcher(STRING.matcher(line).replaceAll("\"\"")).replaceFirst("");
        return PHRASES.stream().filter(each -> {
            Matcher found = each.looks().matcher(code);
            return found.find() && found.group().contains(about);
        }).map(Phrase::hint).findFirst();
    }

    private static List<Phrase> phrases() {
        List<Phrase> all = new ArrayList<>();
        add(all, "^\\s*#", "a comment begins with // in Java");
        add(all, "^\\s*(?:from|import)\\s+(?:torch|numpy|np|pandas)\\b",
                "that is Python; tensors, modules and optimizers are imported already: Tensor.randn(2, 3), new Linear(4, 2)");
        add(all, "^\\s*from\\s+[\\w.]+\\s+import\\b|^\\s*import\\s+[\\w.]+\\s+as\\b",
                "Java imports a class by its full name: import java.util.List;");
        add(all, "^\\s*(?:async\\s+)?def\\s+\\w+\\s*\\(.*\\).*:\\s*$|^\\s*(?:async\\s+)?def\\s+\\w+\\s*\\(",
                "Java declares a method as int twice(int n) { return 2 * n; }");
        add(all, "^\\s*class\\s+\\w+\\s*(?:\\([\\w., ]*\\))?\\s*:",
                "Java declares a class as class Net extends Module { … }");
        add(all, "^\\s*for\\s+\\w+\\s+in\\s+range\\s*\\(",
                "Java counts with for (int i = 0; i < 10; i++) { … }");
        add(all, "^\\s*for\\s+[\\w, ]+\\s+in\\s+.*:\\s*$", "Java loops over values with for (var x : list) { … }");
        add(all, "^\\s*(?:with\\s+torch\\.no_grad\\(\\)|with\\s+.*)\\s*:\\s*$",
                "Java writes try (var name = …) { … } for what must be closed at the end, as try (var off = new NoGrad()) { … }");
        add(all, "^\\s*(?:if|while|elif)\\s+.*[^?:]:\\s*$|^\\s*else\\s*:\\s*$|^\\s*elif\\b",
                "Java writes if (condition) { … } else { … } and while (condition) { … }");
        add(all, "^\\s*(?:try|finally)\\s*:\\s*$|^\\s*except\\b.*:\\s*$",
                "Java writes try { … } catch (Exception e) { … }");
        add(all, "^\\s*print\\s+[^(=]|(?<![\\w.])print\\s*\\(",
                "Java prints with System.out.println(x); the cell's last expression is shown by itself");
        add(all, "(?<![\\w.])len\\s*\\(",
                "Java writes list.size(), text.length() and array.length; a tensor has numel() and size(0)");
        add(all, "(?<![\\w.])range\\s*\\(",
                "Java counts with for (int i = 0; i < 10; i++) { … } or IntStream.range(0, 10)");
        add(all, "(?<![\\w.])lambda\\s+[\\w, ]*:", "Java writes x -> x + 1 for lambda x: x + 1");
        add(all, "\\.requires_?[gG]rad\\s*=(?!=)", "write x.requiresGrad_(true) for x.requires_grad = True");
        add(all, "(?<![\\w.])(?:True|False)\\b", "Java writes true and false");
        add(all, "(?<![\\w.])None\\b", "Java writes null");
        add(all, "(?<![\\w.'\"])[fF]['\"]", "Java has no f-strings: \"%d of %.2f\".formatted(n, x), or \"n = \" + n");
        add(all, "'(?:[^'\\\\]|\\\\.){2,}'|(?<![\\\\'])''",
                "Java writes texts in \" quotation marks; ' is for one character");
        add(all, "\\*\\*", "Java writes Math.pow(x, 2) for x ** 2; a tensor has pow(2)");
        add(all, "[\\w)\\]]\\s+(?:and|or)\\s+[\\w(!]|(?<![\\w.])not\\s+[\\w(]",
                "Java writes && for and, || for or, ! for not");
        add(all, "[\\w)\\]]\\s+(?:is|in|not in)\\s+[\\w(\\[\"]",
                "Java writes list.contains(x) for x in list, x == null for x is None");
        add(all, "^\\s*del\\s+\\w", "write %del name to forget a variable and let go of its value");
        add(all, "^\\s*(?:pass|global\\s+\\w+|nonlocal\\s+\\w+)\\s*$",
                "Java needs no such statement: an empty block is { }");
        add(all, "^\\s*raise\\b", "Java writes throw new IllegalStateException(\"…\");");
        add(all, "(?<![\\w.])self\\b", "Java writes this for self, and may leave it out");
        add(all, "(?<![\\w.])(?:Out|In)\\s*\\[\\s*\\d*\\s*\\]",
                "the value of a cell is $1, $2, … (%who lists them) until the next cell has ended: give it a name, var r = …;"
                        + " %history shows what was typed, %rerun N runs it again");
        add(all, "(?<![\\w.$])_{1,3}(?![\\w$])",
                "Java has no _ for the last value: it is $1, $2, … (%who lists them) until the next cell has ended; give it a"
                        + " name, var r = …");
        add(all, "(?:=|\\(|,|return)\\s*\\[[^\\]]*\\]\\s*(?:[;,)]|$)",
                "Java writes List.of(1, 2, 3) or new int[]{1, 2, 3}");
        add(all, "=\\s*\\{\\s*[\\w\"']+\\s*:", "Java writes Map.of(\"a\", 1, \"b\", 2)");
        add(all, "[\\w\\])]\\s*\\[\\s*-?\\d*\\s*:\\s*-?\\w*\\s*[\\],]",
                "Java has no slices: list.subList(a, b), text.substring(a, b); a tensor has narrow(dim, start, length)");
        add(all, "^\\s*%%\\w", "%% stands before all else, in the first line of a cell: what follows belongs to it");
        add(all, "^\\s*%%?\\s*$|^\\s*%%?\\s+\\w",
                "a magic's name follows % at once: %memory_summary, %%time; %lsmagic lists them");
        add(all, "(?:^|[;{}])\\s*%[a-z]\\w+", "a magic stands on a line of its own");
        add(all, "[\\w)\\]]\\s+@\\s+[\\w(]", "Java has no @ for products: write a.matmul(b)");
        add(all, "[(,]\\s*\\(\\s*[\\w.]+\\s*,[\\w., ]*\\)(?!\\s*->)",
                "Java has no tuples: sizes are arguments, Tensor.zeros(2, 3), or new long[]{2, 3}");
        add(all, "(?<![\\w.])torch\\.(?:no_grad|enable_grad|inference_mode)\\b",
                "Java writes try (var off = new NoGrad()) { … }; EnableGrad and InferenceMode likewise");
        add(all, "(?<![\\w.])torch\\.(?:float(?:16|32|64)?|half|bfloat16|double|u?int(?:8|16|32|64)?|long|bool)\\b",
                "dtypes are DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16, DType.INT64, …");
        add(all, "(?<![\\w.])torch\\.device\\b", "devices are Device.cuda(0) and Device.cpu()");
        add(all, "\\.numpy\\s*\\(", "a tensor's numbers are x.toFloatArray(), or x.toArray() with its shape");
        add(all, "(?<![\\w.])(?:int|float|str)\\s*\\(",
                "Java converts with (int) x, Integer.parseInt(text), String.valueOf(x)");
        return List.copyOf(all);
    }

    private static void add(List<Phrase> all, String looks, String hint) {
        all.add(new Phrase(Pattern.compile(looks), hint));
    }
}
