package io.vramlab.magics;

import io.vramlab.device.Device;
import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.magics.live.LiveSet;
import io.vramlab.magics.live.LiveTensor;
import io.vramlab.magics.map.BlockLabels;
import io.vramlab.magics.map.MapPicture;
import io.vramlab.kernel.spi.option.Arguments;
import io.vramlab.kernel.spi.option.OptionMagic;
import io.vramlab.kernel.spi.option.Options;
import io.vramlab.magics.picture.Paint;
import io.vramlab.magics.table.ReportTable;
import io.vramlab.magics.table.RowBuilder;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.BlockInfo;
import io.vramlab.memory.BlockState;
import io.vramlab.memory.SegmentInfo;
import java.util.List;
import java.util.Optional;

/** {@code %memory_map}: every segment to scale, with its blocks. */
public final class MemoryMapMagic extends OptionMagic {

    /** The picture tells the whole; the table says what a row of it is. */
    private static final int ROWS = 8;

    /** Found by the kernel. */
    public MemoryMapMagic() {
        super("memory_map", Options.of("%memory_map", "Draws every segment to scale, with its blocks in use and free.")
                .choice("by", List.of("kind", "cell", "variable"), "what colours the blocks; kind by default")
                .flag("png", "as PNG, for places that show no SVG").value("device", "N", Gpu.OPTION)
                .value("rows", "N", "rows of the table below the picture, 8 without it")
                .detail("The table has every block by address; the bytes of free blocks are what the cache could serve.\n"
                        + "Rest the pointer on a block for its name, size and address.")
                .tells());
    }

    @Override
    protected Object run(Arguments arguments, MagicCall call) throws Exception {
        Device device = Gpu.of(arguments);
        List<SegmentInfo> segments = Allocators.of(device).segments();
        Labels labels = new Labels(device, LiveSet.of(call.session()), arguments.value("by").orElse("kind"));
        RowBuilder rows = new RowBuilder().number("segment").text("address").number("bytes", "requested bytes").text(
                "name", "kind",
                "made at", "tensor", "state");
        for (int s = 0; s < segments.size(); s++) {
            for (BlockInfo block : segments.get(s).blocks()) {
                boolean used = block.state() != BlockState.INACTIVE;
                Optional<LiveTensor> tensor = used ? labels.tensor(block) : Optional.empty();
                rows.row(s + 1, "0x" + Long.toHexString(block.address()), block.size(), used ? block.requested() : null,
                        tensor.map(LiveTensor::name).orElse(""),
                        tensor.map(LiveTensor::kind).orElse(used ? Kinds.NO_TENSOR : "free"),
                        tensor.map(LiveTensor::madeAt).orElse(""), tensor.map(LiveTensor::form).orElse(""),
                        block.state().text());
            }
        }
        ReportTable report = rows.report("Blocks of " + device.name()).rows(arguments.number("rows", ROWS, 0));
        return report.picture(MapPicture.draw(device.name(), segments, labels), arguments.has("png"));
    }

    private record Labels(Device device, LiveSet live, String by, Kinds kinds) implements BlockLabels {

        Labels(Device device, LiveSet live, String by) {
            this(device, live, by, new Kinds(by.equals("kind")));
        }

        Optional<LiveTensor> tensor(BlockInfo block) {
            return live.at(device, block.address());
        }

        @Override
        public String group(BlockInfo block) {
            return tensor(block).map(t -> switch (by) {
                case "cell" -> t.cell() == 0 ? "unknown cell" : "In [" + t.cell() + "]";
                case "variable" -> t.path() == null ? "unnamed" : t.path().root().label();
                default -> t.kind();
            }).orElse(Kinds.NO_TENSOR);
        }

        @Override
        public Paint paint(String group) {
            return kinds.paint(group);
        }

        @Override
        public String name(BlockInfo block) {
            return tensor(block).map(t -> t.called() + (t.form().isEmpty() ? "" : "\n" + t.form())).orElse("");
        }
    }
}
