package dev.outrider.chat.jinja;

/// The remaining budget of one rendering: characters and elements read, bytes allocated, and
/// nesting depth. Every operation is charged before it reads or allocates. Confined to one thread.
public final class Budget {
    private static final int STEPS = 2_000_000;

    /// Cost of evaluating one expression, in characters read.
    private static final int LOOKS_OF_A_STEP = 50;

    private static final int MEBIBYTES = 128;
    private static final int LONGEST_TEXT = 16_000_000;
    private static final int DEEPEST = 400;
    private static final int CALL_DEPTH = 60;

    private long looks = (long) STEPS * LOOKS_OF_A_STEP;
    private long bytes = (long) MEBIBYTES << 20;
    private int depth;
    private int calls;

    Budget() {}

    void step() {
        work(LOOKS_OF_A_STEP);
    }

    /// Charges for reading this many characters or elements.
    public void work(long count) {
        looks -= count;
        if (looks < 0) {
            throw new TemplateException("the template takes more than %d steps".formatted(STEPS));
        }
    }

    /// Charges for memory before it is allocated. Memory is never credited back, because a template
    /// may keep any value.
    void make(long count) {
        bytes -= count;
        if (bytes < 0) {
            throw new TemplateException("the template makes more than %d MiB".formatted(MEBIBYTES));
        }
    }

    /// Charges for a text of this many characters.
    void makeText(long length) {
        if (length > LONGEST_TEXT) {
            throw new TemplateException(
                    "the template makes more than %d characters".formatted(LONGEST_TEXT));
        }
        work(length);
        make(Footprint.TEXT + Footprint.CHARACTER * length);
    }

    /// Charges for characters added to an output that has `before` characters.
    void write(int before, int added) {
        if (before > LONGEST_TEXT - added) {
            throw new TemplateException(
                    "the template makes more than %d characters".formatted(LONGEST_TEXT));
        }
        work(added);
        make(Footprint.CHARACTER * added);
    }

    /// Charges for a list of this many elements, without the elements.
    void makeList(long size) {
        work(size);
        make(Footprint.LIST + Footprint.ELEMENT * size);
    }

    /// Charges for a dictionary of this many entries, without keys and values.
    void makeMapping(long size) {
        work(size);
        make(Footprint.MAPPING + Footprint.ENTRY * size);
    }

    /// Returns a computed text and charges for one copy of it.
    Value.Text text(String made) {
        makeText(made.length());
        return new Value.Text(made);
    }

    /// Enters one level of nesting in a template or value. A level is left only on success, because
    /// a failure ends the rendering.
    void enter() {
        depth++;
        if (depth > DEEPEST) {
            throw new TemplateException("the template nests too deep");
        }
    }

    void leave() {
        depth--;
    }

    void enterCall() {
        calls++;
        if (calls > CALL_DEPTH) {
            throw new TemplateException(
                    "the template's macros call each other more than %d deep"
                            .formatted(CALL_DEPTH));
        }
    }

    void leaveCall() {
        calls--;
    }

    /// Approximate heap sizes in bytes, with the copies that are made during an operation.
    static final class Footprint {
        static final int TEXT = 64;
        static final int CHARACTER = 2;
        static final int LIST = 64;
        static final int ELEMENT = 16;

        /// An element that is a text of one character.
        static final int LETTER = 88;

        static final int NUMBER = 24;
        static final int MAPPING = 192;
        static final int ENTRY = 112;

        /// A list of a key and its value.
        static final int PAIR = 96;

        static final int FUNCTION = 64;
        static final int SCOPE = 256;
        static final int VARIABLE = 64;

        /// The variable `loop` of one round.
        static final int ROUND = 192;

        private Footprint() {}
    }
}
