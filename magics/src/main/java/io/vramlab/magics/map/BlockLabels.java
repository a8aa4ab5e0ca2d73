package io.vramlab.magics.map;

import io.vramlab.magics.picture.Paint;
import io.vramlab.memory.BlockInfo;

/** What a map says of blocks in use. */
public interface BlockLabels {

    /** The group that a block belongs to: its kind, or its cell. */
    String group(BlockInfo block);

    /** The paint of a group. */
    Paint paint(String group);

    /** What the block is called; may be empty. */
    String name(BlockInfo block);
}
