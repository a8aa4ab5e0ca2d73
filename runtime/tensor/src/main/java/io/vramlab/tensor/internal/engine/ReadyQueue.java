package io.vramlab.tensor.internal.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * The nodes whose gradients are complete, the latest of the forward pass first and the leaves' accumulators before all.
 * Among equals the order is that of PyTorch's std::priority_queue (libstdc++'s heap), because it can decide which of two
 * leaves takes a shared gradient over and which copies it.
 */
public final class ReadyQueue {

    private final List<ReadyNode> heap = new ArrayList<>();

    boolean isEmpty() {
        return heap.isEmpty();
    }

    private static boolean less(ReadyNode a, ReadyNode b) {
        return a.node().sequence() < b.node().sequence();
    }

    void push(ReadyNode task) {
        heap.add(task);
        up(heap.size() - 1, 0, task);
    }

    private void up(int start, int top, ReadyNode value) {
        int hole = start;
        int parent = (hole - 1) / 2;
        while (hole > top && less(heap.get(parent), value)) {
            heap.set(hole, heap.get(parent));
            hole = parent;
            parent = (hole - 1) / 2;
        }
        heap.set(hole, value);
    }

    ReadyNode pop() {
        ReadyNode first = heap.getFirst();
        ReadyNode last = heap.removeLast();
        if (!heap.isEmpty()) {
            down(last);
        }
        return first;
    }

    /** The hole at the top sinks to the bottom along the larger children, then the value rises from there. */
    private void down(ReadyNode value) {
        int size = heap.size();
        int hole = 0;
        int child = 0;
        while (child < (size - 1) / 2) {
            child = 2 * (child + 1);
            if (less(heap.get(child), heap.get(child - 1))) {
                child--;
            }
            heap.set(hole, heap.get(child));
            hole = child;
        }
        if ((size & 1) == 0 && child == (size - 2) / 2) {
            child = 2 * (child + 1);
            heap.set(hole, heap.get(child - 1));
            hole = child - 1;
        }
        up(hole, 0, value);
    }
}
