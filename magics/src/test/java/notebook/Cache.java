package notebook;

/** A user's class with something in a static field. */
public class Cache {

    /** What it keeps. */
    public static Object kept;
}
