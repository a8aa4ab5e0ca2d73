package io.vramlab.magics.picture;

import java.util.List;

/** Colours that differ for colour-blind readers too (after Okabe and Ito), each with a hatching of its own. */
public final class Palette {

    /** Memory that is cached and free. */
    public static final Paint FREE = new Paint("#f2f2f2", Hatch.UP);
    /** Freed, waiting for other streams. */
    public static final Paint PENDING = new Paint("#f2f2f2", Hatch.CROSS);
    /** What belongs to no group that has a colour. */
    public static final Paint OTHER = new Paint("#bbbbbb", Hatch.NONE);

    private static final List<Paint> GROUPS = List.of(new Paint("#0072b2", Hatch.NONE),
            new Paint("#e69f00", Hatch.NONE),
            new Paint("#009e73", Hatch.LEVEL), new Paint("#cc79a7", Hatch.UPRIGHT), new Paint("#56b4e9", Hatch.DOTS),
            new Paint("#d55e00", Hatch.DOWN), new Paint("#f0e442", Hatch.DOTS), new Paint("#004c78", Hatch.LEVEL),
            new Paint("#8c6200", Hatch.DOWN), new Paint("#7fcfb8", Hatch.UPRIGHT));

    private Palette() {
    }

    /** The paint of group {@code index}; after ten they come again. */
    public static Paint group(int index) {
        return GROUPS.get(Math.floorMod(index, GROUPS.size()));
    }

    /** How many groups have a paint of their own. */
    public static int size() {
        return GROUPS.size();
    }
}
