package io.vramlab.footprint;

import java.util.Arrays;

/** One of {@link ConvolutionTrees}, its nodes in preorder. */
final class DecisionTree {

    private final String[] names;
    /** Of a node the feature that it asks for, of a leaf what it names, less than 0. */
    private int[] asked = new int[64];
    private double[] bounds = new double[64];
    /** Where the branch above the bound begins. */
    private int[] above = new int[64];
    private int length;

    private DecisionTree(String[] names) {
        this.names = names;
    }

    /** The tree whose line of names begins there; its nodes follow. */
    static DecisionTree of(byte[] text, int place) {
        TableLines lines = new TableLines(text, place);
        DecisionTree tree = new DecisionTree(lines.text().split(" "));
        lines.next();
        tree.grow(lines);
        return tree;
    }

    /** Reads one node and those below it. */
    private void grow(TableLines lines) {
        int node = length++;
        if (node == asked.length) {
            asked = Arrays.copyOf(asked, 2 * node);
            bounds = Arrays.copyOf(bounds, 2 * node);
            above = Arrays.copyOf(above, 2 * node);
        }
        if (lines.startsWith('=')) {
            lines.pass();
            asked[node] = ~lines.whole();
            return;
        }
        asked[node] = lines.whole();
        bounds[node] = lines.number();
        grow(lines);
        above[node] = length;
        grow(lines);
    }

    /** What the leaf names that these features lead to. */
    String leaf(double[] features) {
        int at = 0;
        while (asked[at] >= 0) {
            // the trees were grown over float32
            at = (float) features[asked[at]] <= bounds[at] ? at + 1 : above[at];
        }
        return names[~asked[at]];
    }
}
