package dev.outrider.experiment.tune;

import dev.outrider.config.YamlText;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The question of `tune`: which variant is the fastest for a target on given prompts.
///
/// @param target      path of the target
/// @param prompts     path of the prompts
/// @param drafters    paths of drafters
/// @param temperature of sampling
/// @param maxTokens   of a generation
/// @param seed        of the comparisons
/// @param threads     of a pass
/// @param memory      bytes for target and drafters together; empty for all free memory
/// @param minutes     for everything but loading
/// @param formats     whether other number formats of the target are tried too
public record TuneSettings(
        String target,
        String prompts,
        List<String> drafters,
        double temperature,
        int maxTokens,
        long seed,
        int threads,
        Optional<Long> memory,
        double minutes,
        boolean formats) {
    private static final double SECONDS = 60;
    private static final int TEST_SECONDS = 3;

    public TuneSettings {
        drafters = List.copyOf(drafters);
    }

    double seconds() {
        return minutes * SECONDS;
    }

    /// Seconds for which the output of a variant is tested.
    int testSeconds() {
        return temperature > 0 ? TEST_SECONDS : 0;
    }

    /// Returns the text of a configuration.
    ///
    /// @param name      of the experiment
    /// @param precision number format of the target; empty for that of its file
    /// @param protocol  lines of further keys
    public String yaml(
            String name, String precision, String protocol, int tokens, List<Candidate> variants) {
        var format = precision.isEmpty() ? "" : ", precision: " + precision;
        var list = variants.stream().map(Candidate::yaml).collect(Collectors.joining());
        return """
        name: %s
        question: Which of these is the fastest?
        target: {use: vector, path: %s%s}
        sampling: {temperature: %s}
        maxTokens: %d
        threads: %d
        %svariants:%s
        """
                .formatted(
                        name,
                        YamlText.quoted(target),
                        format,
                        temperature,
                        tokens,
                        threads,
                        protocol,
                        list.isEmpty() ? " []" : "\n" + list.stripTrailing());
    }

    /// Returns the lines about prompts, generations and repetitions.
    ///
    /// @param number of the comparison, so that each has another order
    String protocol(
            String file, int limit, int warmup, int repetitions, int testSeconds, int number) {
        return """
        prompts: {file: %s, limit: %d}
        warmup: %d
        repetitions: %d
        exactnessTestSeconds: %d
        seed: %d
        """
                .formatted(
                        YamlText.quoted(file),
                        limit,
                        warmup,
                        repetitions,
                        testSeconds,
                        seed + number);
    }
}
