package io.vramlab.kernel.internal.hint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each phrase of Python is known for what it is, and Java is not taken for it. */
class PythonTest {

    private static final Map<String, String> EXAMPLES = new LinkedHashMap<>();

    static {
        EXAMPLES.put("# a comment, don't", "//");
        EXAMPLES.put("import torch", "imported already");
        EXAMPLES.put("from torch import nn", "imported already");
        EXAMPLES.put("import os as o", "full name");
        EXAMPLES.put("from math import sqrt", "full name");
        EXAMPLES.put("def f(x, y=2):", "declares a method");
        EXAMPLES.put("def f(x): return x + 1", "declares a method");
        EXAMPLES.put("class Net(nn.Module):", "extends Module");
        EXAMPLES.put("for i in range(10):", "int i = 0");
        EXAMPLES.put("for x in xs:", "var x : list");
        EXAMPLES.put("with torch.no_grad():", "new NoGrad()");
        EXAMPLES.put("if x > 3:", "if (condition)");
        EXAMPLES.put("else:", "if (condition)");
        EXAMPLES.put("try:", "catch");
        EXAMPLES.put("except ValueError:", "catch");
        EXAMPLES.put("print(x)", "System.out.println");
        EXAMPLES.put("print \"x\"", "System.out.println");
        EXAMPLES.put("int n = len(x);", "size()");
        EXAMPLES.put("var r = range(3);", "IntStream");
        EXAMPLES.put("f = lambda x: x + 1", "x -> x + 1");
        EXAMPLES.put("boolean b = True;", "true and false");
        EXAMPLES.put("x = None", "null");
        EXAMPLES.put("s = f\"{x}\"", "formatted");
        EXAMPLES.put("s = 'text'", "quotation marks");
        EXAMPLES.put("y = x ** 2", "Math.pow");
        EXAMPLES.put("b = x and y", "&&");
        EXAMPLES.put("b = not y", "&&");
        EXAMPLES.put("b = x in xs", "contains");
        EXAMPLES.put("del x", "%del");
        EXAMPLES.put("    pass", "{ }");
        EXAMPLES.put("raise ValueError(\"x\")", "throw new");
        EXAMPLES.put("self.n = 3;", "this");
        EXAMPLES.put("Out[3]", "$1");
        EXAMPLES.put("In[3]", "%history");
        EXAMPLES.put("_ + 1", "no _");
        EXAMPLES.put("__", "no _");
        EXAMPLES.put("xs = [1, 2, 3]", "List.of");
        EXAMPLES.put("d = {\"a\": 1}", "Map.of");
        EXAMPLES.put("ys = xs[1:3]", "subList");
        EXAMPLES.put("n = int(\"3\")", "parseInt");
        EXAMPLES.put("y = cat([x, x], 0)", "List.of");
        EXAMPLES.put("%%time", "first line");
        EXAMPLES.put("% memory_map", "at once");
        EXAMPLES.put("int n = 3; %memory_map", "line of its own");
        EXAMPLES.put("y = x @ x", "matmul");
        EXAMPLES.put("Tensor.zeros((2, 3))", "no tuples");
        EXAMPLES.put("Tensor.randint(0, 10, (4,))", "no tuples");
        EXAMPLES.put("try (var g = torch.no_grad()) {", "new NoGrad()");
        EXAMPLES.put("x.to(torch.float16)", "DType.FLOAT16");
        EXAMPLES.put("torch.device(\"cuda\")", "Device.cuda(0)");
        EXAMPLES.put("x.requires_grad = True", "requiresGrad_(true)");
        EXAMPLES.put("x.cpu().numpy()", "toFloatArray");
    }

    @Test
    void everyPhraseIsKnown() {
        EXAMPLES.forEach((line, words) -> assertTrue(Python.hint(line, "").orElse("").contains(words),
                line + ": " + Python.hint(line, "")));
    }

    @Test
    void everyPhraseHasAnExample() {
        Set<String> never = Python.PHRASES.stream().map(Python.Phrase::hint)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        EXAMPLES.keySet().forEach(line -> never.remove(Python.hint(line, "").orElse("")));
        assertEquals(Set.of(), never);
    }

    @ParameterizedTest
    @ValueSource(strings = {"int x = 5;", "System.out.println(x);", "for (int i = 0; i < 3; i++) {", "char c = 'x';",
            "var s = \"True and None, print(x) # no 'text'\";", "int y = x * 2; // not in Python, # None",
            "case A: break;", "x ? y : z", "list.len()", "int[] a = {1, 2};", "a[i] = b[1];", "char c = '\\'';",
            "for (var x : xs) {", "boolean done = !ready;", "my_name(a_b)", "this.self().print(x)", "label:",
            "default:", "f(x -> x + 1)", "switch (x) {", "int i = (int) x;", "@Override", "var t = x.pow(2);",
            "f(2, (a, b) -> a + b)", "f((int) x, y)", "int r = (a + b) % c;", "f((x), 3)", "@Test void f() {",
            "n = m %k;"})
    void javaIsNotTakenForPython(String line) {
        assertEquals(Optional.empty(), Python.hint(line, ""));
    }

    @Test
    void aNameThatIsMissingIsNotBlamedOnTheRestOfItsLine() {
        assertEquals(Optional.empty(), Python.hint("int n = missing(print(x));", "missing"));
        assertTrue(Python.hint("int n = missing(print(x));", "print").isPresent());
        assertEquals(List.of(), Python.PHRASES.stream().filter(each -> each.hint().isBlank()).toList());
    }
}
