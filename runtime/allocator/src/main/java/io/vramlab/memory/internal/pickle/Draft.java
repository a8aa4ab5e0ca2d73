package io.vramlab.memory.internal.pickle;

import java.util.ArrayList;
import java.util.LinkedHashMap;

/** Containers that know under which number they were stored, so that what takes their place can take it there too. */
final class Draft {

    static final int NOWHERE = -1;

    private Draft() {
    }

    static final class Items extends ArrayList<Object> {
        private static final long serialVersionUID = 1;
        int memo = NOWHERE;
    }

    static final class Dictionary extends LinkedHashMap<String, Object> {
        private static final long serialVersionUID = 1;
        int memo = NOWHERE;
        final long spent;

        Dictionary(final long spent) {
            super(0);
            this.spent = spent;
        }
    }
}
