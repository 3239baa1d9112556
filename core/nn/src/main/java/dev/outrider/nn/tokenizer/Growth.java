package dev.outrider.nn.tokenizer;

/// How much longer a text can become on its way through a tokenizer's components, and what they cost at most.
final class Growth {
    /// Published tokenizers stay below 70: compatibility forms (11), spaces of three bytes, a byte alphabet (2).
    private static final double MAX = 128;

    private static final int MAX_PARTS = 64;

    /// The matcher of the library gives up, and the process with it, after ten million steps back in one place.
    private static final long STEPS_BACK = 8L << 20;

    private static final long MAX_BYTES = 16L << 20;

    private double factor = 1;
    private int parts;
    private boolean stepsBack;

    /// That a component makes a text up to `times` times as long, in bytes.
    void by(Part part, double times) {
        factor *= times;
        if (factor > MAX) {
            throw part.refused(
                    "makes a text up to %.0f times as long by %s; expected at most %.0f times"
                            .formatted(factor, part.where(), MAX));
        }
    }

    /// That there is one more component.
    void count(Part part) {
        if (++parts > MAX_PARTS) {
            throw part.refused(
                    "has more than %d components, among them %s"
                            .formatted(MAX_PARTS, part.where()));
        }
    }

    /// That an expression may step back once for every character of a text.
    void stepsBack() {
        stepsBack = true;
    }

    /// The longest text, in bytes of UTF-8, that can be encoded at once.
    long longestText() {
        return (long) ((stepsBack ? STEPS_BACK : MAX_BYTES) / factor);
    }
}
