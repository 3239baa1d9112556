package dev.outrider.cli;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/// Log messages are for developers: warnings only, unless `--debug` is given. Read before the first logger exists.
final class LogLevel {
    private static final String PROPERTY = "outrider.log.level";

    /// The reader of Parquet logs past logback what it decodes with. Held here, for a logger that nobody holds forgets its level.
    private static final Logger PARQUET = Logger.getLogger("dev.hardwood");

    private LogLevel() {}

    static void apply(String[] arguments) {
        if (System.getProperty(PROPERTY) == null && List.of(arguments).contains("--debug")) {
            System.setProperty(PROPERTY, "DEBUG");
        }
        if (System.getProperty(PROPERTY) == null) {
            PARQUET.setLevel(Level.WARNING);
        }
    }
}
