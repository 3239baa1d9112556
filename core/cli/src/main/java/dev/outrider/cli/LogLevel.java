package dev.outrider.cli;

import java.util.List;

/// Log messages are for developers: warnings only, unless `--debug` is given. Read before the first logger exists.
final class LogLevel {
    private static final String PROPERTY = "outrider.log.level";

    private LogLevel() {}

    static void apply(String[] arguments) {
        if (System.getProperty(PROPERTY) == null && List.of(arguments).contains("--debug")) {
            System.setProperty(PROPERTY, "DEBUG");
        }
    }
}
