package dev.outrider.config;

/// Texts as YAML, for configurations that a program writes.
public final class YamlText {
    private YamlText() {}

    /// Returns a scalar in single quotes that reads back as the text.
    ///
    /// @param text of one line
    public static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
