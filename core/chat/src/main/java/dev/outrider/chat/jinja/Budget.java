package dev.outrider.chat.jinja;

/// What one rendering may still use up.
final class Budget {
    private static final int STEPS = 2_000_000;

    /// Computing an expression takes about as long as looking at so many characters.
    private static final int WORK_OF_A_STEP = 100;

    private static final long LARGEST_VALUE = 16_000_000;
    private static final long CHARACTERS = 400_000_000;
    private static final int CALL_DEPTH = 60;

    private long work = (long) STEPS * WORK_OF_A_STEP;
    private long characters = CHARACTERS;
    private int depth;

    void step() {
        work(WORK_OF_A_STEP);
    }

    /// Accounts for looking at so many characters or elements.
    void work(long looks) {
        work -= looks;
        if (work < 0) {
            throw new TemplateException("the template takes more than %d steps".formatted(STEPS));
        }
    }

    /// Bounds one value or text.
    void checkSize(long weight) {
        if (weight > LARGEST_VALUE) {
            throw new TemplateException(
                    "the template makes more than %d characters".formatted(LARGEST_VALUE));
        }
    }

    /// Accounts for a value that is made or about to be made.
    void use(long weight) {
        checkSize(weight);
        characters -= weight;
        if (characters < 0) {
            throw new TemplateException(
                    "the template makes more than %d characters".formatted(CHARACTERS));
        }
    }

    <T extends Value> T use(T made) {
        use(made.weight());
        return made;
    }

    void enterCall() {
        depth++;
        if (depth > CALL_DEPTH) {
            throw new TemplateException(
                    "the template's macros call each other more than %d deep"
                            .formatted(CALL_DEPTH));
        }
    }

    void leaveCall() {
        depth--;
    }
}
