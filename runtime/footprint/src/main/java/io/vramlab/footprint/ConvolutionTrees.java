package io.vramlab.footprint;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.GZIPInputStream;

/**
 * What {@code src/fit/convolutions.py} learnt from the recordings: a decision tree for each product, order of memory and size
 * of an element, whose leaves name the parts of a workspace; and what {@code plain.py}, {@code plain_last.py},
 * {@code transforms.py} and {@code depthwise.py} beside it did: trees that tell which products of matrices are cuBLAS's and what
 * they take with channels side by side, which products are computed by transforms, and which of a group for each channel have
 * pieces. A file is read when something is asked of it first, and of its trees those that are asked.
 */
enum ConvolutionTrees {

    /** Of what a workspace consists. */
    PARTS("convolutions"),
    /** Whether cuBLAS computes a product of matrices, and what it takes besides. */
    PLAIN("plain"),
    /** The same with channels side by side. */
    PLAIN_LAST("plain_last"),
    /** Whether a product is computed by transforms. */
    TRANSFORMS("transforms"),
    /** What cuBLAS takes in one of the ways that it proposes. */
    WAYS("ways"),
    /** Whether a weight's gradient of a group for each channel has pieces. */
    DEPTHWISE("depthwise");

    private final String file;
    private final Map<String, Optional<DecisionTree>> trees = new ConcurrentHashMap<>();
    private byte[] text;
    private Map<String, Integer> places;

    ConvolutionTrees(String file) {
        this.file = file + ".txt.gz";
    }

    private Optional<DecisionTree> tree(String name) {
        return trees.computeIfAbsent(name, this::grown);
    }

    private synchronized Optional<DecisionTree> grown(String name) {
        if (text == null) {
            read();
        }
        return Optional.ofNullable(places.get(name)).map(place -> DecisionTree.of(text, place));
    }

    private void read() {
        try (InputStream in = new GZIPInputStream(ConvolutionTrees.class.getResourceAsStream(file), 1 << 16)) {
            text = in.readAllBytes();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        places = new HashMap<>();
        TableLines lines = new TableLines(text, 0);
        while (lines.isMore()) {
            if (lines.startsWith('t')) {
                String name = lines.text().substring("tree ".length());
                lines.next();
                places.put(name, lines.at());
            }
            lines.next();
        }
    }

    /** What the tree of a group names. */
    String named(String group, double[] features) {
        return tree(group).orElseThrow().leaf(features);
    }

    /** What most of several trees for one group name, of equally many the first in the order of their letters. */
    String voted(String group, double[] features) {
        Map<String, Integer> votes = votes(group, features);
        int most = Collections.max(votes.values());
        return votes.entrySet().stream().filter(vote -> vote.getValue() == most).findFirst().orElseThrow().getKey();
    }

    /** How many of several trees for one group name what, in the order of their letters. */
    Map<String, Integer> votes(String group, double[] features) {
        Map<String, Integer> votes = new TreeMap<>();
        Optional<DecisionTree> tree = tree(group + " 0");
        for (int i = 1; tree.isPresent(); i++) {
            votes.merge(tree.get().leaf(features), 1, Integer::sum);
            tree = tree(group + " " + i);
        }
        return votes;
    }
}
