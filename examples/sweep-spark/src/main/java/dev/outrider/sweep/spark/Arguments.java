package dev.outrider.sweep.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The command line.
///
/// @param plan     `plan.json`, at the same path on the driver and on every worker
/// @param launcher the script `outrider` on the workers
/// @param options  further options of `run-cell`
record Arguments(String plan, String launcher, List<String> options) {
    static final String USAGE =
            """
            Usage: spark-submit --class dev.outrider.sweep.spark.SparkSweep outrider-sweep-spark.jar --plan FILE [--outrider FILE] [--check]
              --plan FILE      plan.json, which 'outrider sweep CONFIG --emit plan' or a sweep wrote, in a folder that the driver
                               and every worker see at the same place
              --outrider FILE  the launcher on the workers (default: outrider, from their path)
              --check          passed on to 'outrider run-cell'
            """;

    Arguments {
        options = List.copyOf(options);
    }

    /// @throws IllegalArgumentException with the wrong argument
    static Arguments of(String... words) {
        Optional<String> plan = Optional.empty();
        String launcher = "outrider";
        var options = new ArrayList<String>();
        for (int i = 0; i < words.length; i++) {
            switch (words[i]) {
                case "--plan" -> plan = Optional.of(value(words, ++i));
                case "--outrider" -> launcher = value(words, ++i);
                case "--check" -> options.add("--check");
                default ->
                        throw new IllegalArgumentException("'%s' is no option".formatted(words[i]));
            }
        }
        return new Arguments(
                plan.orElseThrow(() -> new IllegalArgumentException("--plan is missing")),
                launcher,
                options);
    }

    private static String value(String[] words, int index) {
        if (index == words.length) {
            throw new IllegalArgumentException("%s needs a file".formatted(words[index - 1]));
        }
        return words[index];
    }
}
