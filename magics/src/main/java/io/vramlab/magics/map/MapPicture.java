package io.vramlab.magics.map;

import io.vramlab.magics.picture.Paint;
import io.vramlab.magics.picture.Palette;
import io.vramlab.magics.picture.Picture;
import io.vramlab.magics.picture.Scene;
import io.vramlab.magics.picture.SceneShape.Box;
import io.vramlab.magics.picture.SceneShape.Label;
import io.vramlab.magics.picture.SceneShape.Anchor;
import io.vramlab.magics.text.ReadableSizes;
import io.vramlab.memory.BlockInfo;
import io.vramlab.memory.BlockState;
import io.vramlab.memory.SegmentInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A map of an allocator's segments. Segments run from left to right and wrap; one pixel stands for the same number of
 * bytes everywhere. Blocks narrower than a pixel are drawn together, in the paint of most of their bytes.
 */
public final class MapPicture {

    private static final int WIDTH = Picture.WIDTH;
    private static final int MARGIN = 12;
    private static final int ROW = 20;
    private static final int BAR = 14;
    private static final int MOST_ROWS = 48;
    private static final int USUAL_ROWS = 12;
    private static final double GAP = 3;

    private final BlockLabels labels;
    private final Map<Paint, List<Box>> boxes = new LinkedHashMap<>();
    private final Map<String, Long> legend = new LinkedHashMap<>();
    private double bytesPerPixel;
    private double x = MARGIN;
    private double y = 44;
    private int binned;
    private int left;

    private MapPicture(BlockLabels labels) {
        this.labels = labels;
    }

    /**
     * Draws.
     *
     * @param title
     *            what is mapped, for instance {@code cuda:0}
     * @param segments
     *            by address; may be empty
     * @param labels
     *            what blocks in use are
     */
    public static Picture draw(String title, List<SegmentInfo> segments, BlockLabels labels) {
        return new MapPicture(labels).draw(title, segments);
    }

    private Picture draw(String title, List<SegmentInfo> segments) {
        long reserved = segments.stream().mapToLong(SegmentInfo::totalSize).sum();
        long allocated = segments.stream().mapToLong(SegmentInfo::allocatedSize).sum();
        long largest = segments.stream().mapToLong(SegmentInfo::totalSize).max().orElse(1);
        double room = WIDTH - 2.0 * MARGIN;
        bytesPerPixel = Math.max(largest / room, reserved / (room * USUAL_ROWS));
        for (SegmentInfo segment : segments) {
            segment(segment);
        }
        String words = title + ": " + ReadableSizes.text(allocated) + " allocated of " + ReadableSizes.text(reserved)
                + " reserved in "
                + ReadableSizes.count(segments.size(), "segment")
                + (reserved == 0 ? "" : ", " + Math.round(100.0 * (reserved - allocated) / reserved) + " % free");
        int height = segments.isEmpty() ? 60 : (int) y + ROW + 4;
        Scene scene = new Scene(WIDTH, height + legendHeight());
        scene.add(new Label(MARGIN, 18, words, 13, Anchor.START, true));
        String remark = largestFree(segments) + remark();
        scene.add(Label.at(MARGIN, 34, remark));
        boxes.values().forEach(same -> same.forEach(scene::add));
        drawLegend(scene, height);
        return new Picture(scene, words + ". " + remark, text(words, segments));
    }

    /** What the largest request is that the cache could serve, in a sentence; empty where nothing is free. */
    private static String largestFree(List<SegmentInfo> segments) {
        long largest = segments.stream().flatMap(segment -> segment.blocks().stream())
                .filter(block -> block.state() == BlockState.INACTIVE).mapToLong(BlockInfo::size).max().orElse(0);
        return largest == 0 ? "" : "The largest free piece has " + ReadableSizes.text(largest) + ". ";
    }

    private String remark() {
        String scale = "One pixel is " + ReadableSizes.text((long) Math.ceil(bytesPerPixel));
        String small = binned == 0
                ? ""
                : "; " + ReadableSizes.count(binned, "block") + " narrower than that drawn together";
        return scale + small + (left == 0 ? "." : "; " + ReadableSizes.count(left, "segment") + " not drawn.");
    }

    private void segment(SegmentInfo segment) {
        double width = Math.max(2, segment.totalSize() / bytesPerPixel);
        if (x > MARGIN && x + width > WIDTH - MARGIN + 0.5) {
            x = MARGIN;
            y += ROW;
        }
        if (y > 44 + ROW * MOST_ROWS) {
            left++;
            return;
        }
        add(new Box(x, y + BAR, width, 2, Paint.plain(segment.small() ? "#888888" : "#000000"), null));
        Bin bin = new Bin();
        for (BlockInfo block : segment.blocks()) {
            String group = group(block);
            legend.merge(group, block.size(), Long::sum);
            double start = x + (block.address() - segment.address()) / bytesPerPixel;
            double wide = block.size() / bytesPerPixel;
            if (wide >= 1) {
                bin.flush();
                add(new Box(start, y, wide >= 3 ? wide - 0.5 : wide, BAR, paint(group), title(block, group)));
            } else {
                bin.add(start, block.size(), paint(group));
            }
        }
        bin.flush();
        x += width + GAP;
    }

    /** Blocks narrower than a pixel, pixel by pixel. */
    private final class Bin {

        private final Map<Paint, Long> bytes = new LinkedHashMap<>();
        private long column = Long.MIN_VALUE;

        void add(double start, long size, Paint paint) {
            if ((long) start != column) {
                flush();
                column = (long) start;
            }
            bytes.merge(paint, size, Long::sum);
            binned++;
        }

        void flush() {
            if (!bytes.isEmpty()) {
                Paint most = bytes.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
                MapPicture.this.add(new Box(column, y, 1, BAR, most, null));
                bytes.clear();
            }
        }
    }

    private void add(Box box) {
        List<Box> same = boxes.computeIfAbsent(box.paint(), p -> new ArrayList<>());
        Box last = same.isEmpty() ? null : same.get(same.size() - 1);
        boolean joins = last != null && last.title() == null && box.title() == null && last.y() == box.y()
                && last.height() == box.height() && last.x() + last.width() == box.x();
        if (joins) {
            same.set(same.size() - 1,
                    new Box(last.x(), last.y(), last.width() + box.width(), last.height(), last.paint(), null));
        } else {
            same.add(box);
        }
    }

    private String group(BlockInfo block) {
        return switch (block.state()) {
            case INACTIVE -> "free in the cache";
            case ACTIVE_PENDING_FREE -> "waiting for streams";
            case ACTIVE_ALLOCATED -> labels.group(block);
        };
    }

    private Paint paint(String group) {
        return switch (group) {
            case "free in the cache" -> Palette.FREE;
            case "waiting for streams" -> Palette.PENDING;
            default -> labels.paint(group);
        };
    }

    private String title(BlockInfo block, String group) {
        String name = block.state() == BlockState.ACTIVE_ALLOCATED ? labels.name(block) : "";
        return (name.isEmpty() ? "" : name + "\n") + group + "\n" + ReadableSizes.both(block.size()) + "\n0x"
                + Long.toHexString(block.address());
    }

    private int legendHeight() {
        return 18 * ((legend.size() + 2) / 3) + 10;
    }

    private void drawLegend(Scene scene, int top) {
        List<Map.Entry<String, Long>> entries = new ArrayList<>(legend.entrySet());
        entries.sort(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()));
        for (int i = 0; i < entries.size(); i++) {
            double left = MARGIN + 248 * (i % 3);
            double line = top + 18.0 * (i / 3) + 4;
            String group = entries.get(i).getKey();
            scene.add(new Box(left, line, 18, 12, paint(group), null));
            scene.add(
                    Label.at(left + 24, line + 10, cut(group) + ": " + ReadableSizes.text(entries.get(i).getValue())));
        }
    }

    private static String cut(String group) {
        return group.length() > 28 ? group.substring(0, 27) + "…" : group;
    }

    private static String text(String words, List<SegmentInfo> segments) {
        StringBuilder out = new StringBuilder(words).append('\n');
        int shown = Math.min(segments.size(), 20);
        for (SegmentInfo segment : segments.subList(0, shown)) {
            out.append(segment.small() ? "small " : "large ").append(bar(segment)).append(' ')
                    .append(ReadableSizes.text(segment.totalSize())).append('\n');
        }
        if (shown < segments.size()) {
            out.append("… and ").append(ReadableSizes.count(segments.size() - shown, "segment")).append(" more\n");
        }
        return out.append("█ in use, ▒ waiting for streams, · free").toString();
    }

    private static String bar(SegmentInfo segment) {
        int width = 40;
        char[] cells = new char[width];
        long[] used = new long[width];
        long[] pending = new long[width];
        double perCell = segment.totalSize() / (double) width;
        for (BlockInfo block : segment.blocks()) {
            if (block.state() == BlockState.INACTIVE) {
                continue;
            }
            long[] into = block.state() == BlockState.ACTIVE_ALLOCATED ? used : pending;
            double from = (block.address() - segment.address()) / perCell;
            double to = (block.address() - segment.address() + block.size()) / perCell;
            for (int c = (int) from; c < Math.min(width, Math.ceil(to)); c++) {
                into[c] += (long) ((Math.min(to, c + 1) - Math.max(from, c)) * perCell);
            }
        }
        for (int c = 0; c < width; c++) {
            cells[c] = used[c] * 2 >= perCell ? '█' : pending[c] * 2 >= perCell ? '▒' : used[c] > 0 ? '▏' : '·';
        }
        return new String(cells);
    }
}
