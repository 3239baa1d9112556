package dev.outrider.config;

/// Where a value of the configuration came from.
public sealed interface Origin {
    /// The place as an error message names it.
    String place();

    /// The place as the effective configuration names it, short enough for a comment.
    String comment();

    /// A place in a YAML text.
    ///
    /// @param source the file as the user named it
    /// @param line   from 1
    /// @param column from 1, in code points
    record Text(String source, int line, int column) implements Origin {
        @Override
        public String place() {
            return source + ":" + line + ":" + column;
        }

        @Override
        public String comment() {
            return source.substring(source.lastIndexOf('/') + 1) + ":" + line;
        }
    }

    /// An option of the command line, `--set key=value` or one of its own.
    ///
    /// @param index position among the changes, from 0
    /// @param typed as the user typed it
    record CommandLine(int index, String typed) implements Origin {
        private static final int SHOWN = 200;

        @Override
        public String place() {
            return typed.length() <= SHOWN ? typed : typed.substring(0, SHOWN) + "...";
        }

        @Override
        public String comment() {
            return typed.split(" ", 2)[0];
        }
    }

    /// What a program gave, by a call.
    ///
    /// @param index position among the calls, from 0
    /// @param call  as the program's author would recognise it: `drafter("small-model")`
    record Program(int index, String call) implements Origin {
        @Override
        public String place() {
            return call;
        }

        @Override
        public String comment() {
            return call;
        }
    }

    /// The default that the configuration record states.
    ///
    /// @param owner simple name of the record
    record DefaultValue(String owner) implements Origin {
        @Override
        public String place() {
            return "default of " + owner;
        }

        @Override
        public String comment() {
            return "default";
        }
    }
}
