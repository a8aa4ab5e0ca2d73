package io.vramlab.install.diagnosis;

import io.vramlab.install.story.Moment;
import io.vramlab.install.story.Story;

/** What was in use, asked for, reserved and free at the decisive moment. */
final class TraitsOfUse {

    /** Rounding takes this much of the room. */
    private static final double ROUNDED = 0.98;
    private static final double MIB = 1 << 20;
    private static final double LARGE = 1L << 36;

    private TraitsOfUse() {
    }

    static void add(Traits to, Evidence e) {
        Story story = e.story();
        int at = e.at();
        int last = story.events().size() - 1;
        boolean failed = e.failed();
        long live = story.live(at);
        long room = failed ? Figures.room(story, at) : Math.max(1, story.mostReserved(last));
        to.put("failed", failed);
        to.put("asked", e.share(e.asked()));
        to.put("asked-of-room", (double) e.asked() / room);
        to.put("over", failed ? (double) (live + e.asked() - room) / room : 0);
        to.put("fits", failed && live + e.asked() <= ROUNDED * room);
        to.put("unused", Traits.part(story.reserved(at) - live, story.reserved(at)));
        to.put("unused-most", 1 - Traits.part(story.live(story.peak()), story.mostReserved(last)));
        ofCache(to, e, story.at(at));
        long free = failed ? story.events().get(at).address() : 0;
        to.put("driver-refused", failed && free < e.asked());
        to.put("driver-free", free / LARGE);
        to.count("emptied", story.emptied());
        to.count("flushes", story.flushes().size());
        to.put("whole", story.live(-1) == 0);
        to.put("before-history", Traits.part(Math.max(0, story.live(-1)), e.needed()));
        to.put("position", Traits.part(at, last));
        to.put("left-at-end", Traits.part(story.live(last), live));
        to.put("bounded", e.isBounded());
        to.count("blocks", e.alive().length);
        to.count("events", at);
        to.count("size", e.needed() / MIB);
    }

    private static void ofCache(Traits to, Evidence e, Moment moment) {
        boolean failed = e.failed();
        Moment.Cached all = moment.cached();
        boolean inPool = failed && Figures.isAskedInPoolOfItsOwn(e.story(), e.at(), moment);
        Moment.Cached own = inPool
                ? moment.cachedInPoolsOfItsOwn()
                : failed ? moment.cachedFor(e.failing().stream()) : all;
        to.put("hole", failed ? Traits.part(all.largest(), e.asked()) : 0);
        to.put("hole-own", failed ? Traits.part(own.largest(), e.asked()) : 0);
        to.put("cached-private", Traits.part(moment.cachedInGraphsPools().bytes(), all.bytes()));
        to.put("cached-others", all.bytes() == 0 ? 0 : 1 - Traits.part(own.bytes(), all.bytes()));
        to.count("streams", moment.streams().size());
        to.put("waiting", Traits.part(moment.waiting(), e.story().live(e.at())));
    }
}
