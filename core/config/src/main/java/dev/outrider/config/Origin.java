package dev.outrider.config;

/// The origin of a value of the configuration.
///
/// @param kind   file, command line, program or default
/// @param source the file as the user named it, the option as typed, the program's call, or the record that states the default
/// @param line   line in the file from 1; otherwise the position among the options or calls
/// @param column column in the file from 1, in code points; otherwise 0
public record Origin(Kind kind, String source, int line, int column) {
    private static final int MAX_SHOWN = 200;

    /// The kinds, in the order in which problems are listed.
    public enum Kind {
        TEXT,
        COMMAND_LINE,
        PROGRAM,
        DEFAULT
    }

    /// Returns a place in a YAML file.
    static Origin text(String source, int line, int column) {
        return new Origin(Kind.TEXT, source, line, column);
    }

    /// Returns an option of the command line, such as `--set key=value`.
    static Origin commandLine(int index, String typed) {
        return new Origin(Kind.COMMAND_LINE, typed, index, 0);
    }

    /// Returns a call of a program, such as `drafter("small-model")`.
    static Origin program(int index, String call) {
        return new Origin(Kind.PROGRAM, call, index, 0);
    }

    /// Returns the default that a configuration record states.
    static Origin defaultOf(Class<?> owner) {
        return new Origin(Kind.DEFAULT, owner.getSimpleName(), 0, 0);
    }

    /// Returns the place as an error message names it.
    public String place() {
        return switch (kind) {
            case TEXT -> source + ":" + line + ":" + column;
            case COMMAND_LINE ->
                    source.length() <= MAX_SHOWN ? source : source.substring(0, MAX_SHOWN) + "...";
            case PROGRAM -> source;
            case DEFAULT -> "default of " + source;
        };
    }

    /// Returns the place as the effective configuration names it, short enough for a comment.
    String comment() {
        return switch (kind) {
            case TEXT -> source.substring(source.lastIndexOf('/') + 1) + ":" + line;
            case COMMAND_LINE -> source.split(" ", 2)[0];
            case PROGRAM -> source;
            case DEFAULT -> "default";
        };
    }
}
