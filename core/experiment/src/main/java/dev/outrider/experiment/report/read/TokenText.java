package dev.outrider.experiment.report.read;

/// A token as one can see it: white space has signs of its own.
public final class TokenText {
    private TokenText() {}

    /// The text of a token with visible spaces.
    public static String visible(String text) {
        return text.isEmpty()
                ? "\u2205"
                : text.replace(' ', '\u2423')
                        .replace("\r", "\u240D")
                        .replace("\n", "\u23CE")
                        .replace("\t", "\u21E5");
    }
}
