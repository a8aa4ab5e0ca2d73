package io.vramlab.footprint;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/**
 * What {@code src/fit/convolutions.py} learnt from the recordings: a decision tree for each product, order of memory and size
 * of an element, whose leaves name the parts of a workspace; and what {@code plain.py}, {@code plain_last.py},
 * {@code transforms.py} and {@code depthwise.py} beside it did: trees that tell which products of matrices are cuBLAS's and what
 * they take with channels side by side, which products are computed by transforms, and which of a group for each channel have
 * pieces.
 */
final class ConvolutionTrees {

    private static final List<String> FILES = List.of("convolutions.txt.gz", "plain.txt.gz", "plain_last.txt.gz",
            "transforms.txt.gz", "ways.txt.gz",
            "depthwise.txt.gz");
    private static final ConvolutionTrees READ = new ConvolutionTrees();

    /** A tree, its nodes in preorder: a leaf's name, or a feature, its bound, and where the branch above it begins. */
    private record Tree(List<Node> nodes) {

        String leaf(double[] features) {
            int at = 0;
            while (nodes.get(at).name == null) {
                Node node = nodes.get(at);
                // the trees were grown over float32
                at = (float) features[node.feature] <= node.bound ? at + 1 : node.above;
            }
            return nodes.get(at).name;
        }
    }

    private record Node(String name, int feature, double bound, int above) {
    }

    private final Map<String, Tree> trees = new HashMap<>();

    private ConvolutionTrees() {
        FILES.forEach(this::read);
    }

    private void read(String file) {
        try (InputStream in = ConvolutionTrees.class.getResourceAsStream(file);
                BufferedReader lines = new BufferedReader(
                        new InputStreamReader(new GZIPInputStream(in), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                List<Node> nodes = new ArrayList<>();
                String[] names = lines.readLine().split(" ");
                grow(lines, names, nodes);
                trees.put(line.substring("tree ".length()), new Tree(nodes));
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Reads one node and those below it. */
    private static void grow(BufferedReader lines, String[] names, List<Node> nodes) throws IOException {
        String line = lines.readLine();
        if (line.startsWith("=")) {
            nodes.add(new Node(names[Integer.parseInt(line.substring(1))], 0, 0, 0));
            return;
        }
        int at = nodes.size();
        nodes.add(null);
        grow(lines, names, nodes);
        int above = nodes.size();
        String[] words = line.split(" ");
        nodes.set(at, new Node(null, Integer.parseInt(words[0]), Double.parseDouble(words[1]), above));
        grow(lines, names, nodes);
    }

    /** The parts of the workspace of such a shape. */
    static String parts(String group, double[] features) {
        return READ.trees.get(group).leaf(features);
    }

    /** What most of several trees for one group name, of equally many the first in the order of their letters. */
    static String voted(String group, double[] features) {
        Map<String, Integer> votes = votes(group, features);
        int most = Collections.max(votes.values());
        return votes.entrySet().stream().filter(vote -> vote.getValue() == most).findFirst().orElseThrow().getKey();
    }

    /** How many of several trees for one group name what, in the order of their letters. */
    static Map<String, Integer> votes(String group, double[] features) {
        Map<String, Integer> votes = new TreeMap<>();
        for (int i = 0; READ.trees.containsKey(group + " " + i); i++) {
            votes.merge(parts(group + " " + i, features), 1, Integer::sum);
        }
        return votes;
    }
}
