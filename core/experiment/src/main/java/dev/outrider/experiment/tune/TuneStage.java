package dev.outrider.experiment.tune;

import dev.outrider.experiment.bench.Bench.Budget;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// One comparison on the way.
///
/// @param name        of its folder
/// @param candidates  that are compared with plain decoding
/// @param precision   number format of the target; empty for that of its file
/// @param seconds     that it is planned to take
/// @param prompts     before its first interim analysis
/// @param most        prompts; 0 for all
/// @param tokens      of a generation
/// @param warmup      generations of each that are not counted
/// @param repetitions of each prompt
/// @param seed        of the order of prompts
public record TuneStage(
        String name,
        List<Candidate> candidates,
        String precision,
        double seconds,
        int prompts,
        int most,
        int tokens,
        int warmup,
        int repetitions,
        long seed) {
    static final double LOOK = 0.25;
    static final double HALVING = 0.3;

    /// Where number formats are tried too.
    static final double DECISION = 0.2;

    private static final String DECISION_NAME = "3-decision";
    private static final int FEWEST_TOKENS = 12;
    private static final int LOOK_TOKENS = 32;
    private static final int MOST_WARMUP = 20;
    private static final int MOST_REPETITIONS = 5;
    private static final double WARMUP = 0.1;
    private static final int MOST_PROMPTS = 12;

    public TuneStage {
        candidates = List.copyOf(candidates);
    }

    /// All candidates, for a short time.
    static TuneStage look(Probe probe) {
        return of("1-look", probe, probe.first(), LOOK, 2, MOST_PROMPTS, LOOK_TOKENS, 0);
    }

    /// Some of them, for longer.
    static TuneStage halving(Probe probe, List<Candidate> candidates) {
        return of("2-halving", probe, candidates, HALVING, 3, MOST_PROMPTS, 2 * LOOK_TOKENS, 1);
    }

    /// The last ones, on all prompts, until it is decided or time is over.
    static TuneStage last(Probe probe, List<Candidate> candidates) {
        double share = probe.settings().formats() ? DECISION : 1 - LOOK - HALVING;
        return of(DECISION_NAME, probe, candidates, share, 6, 0, Integer.MAX_VALUE, 2);
    }

    /// The same with another time. Its configuration does not depend on that.
    TuneStage within(double time) {
        return new TuneStage(
                name,
                candidates,
                precision,
                time,
                prompts,
                most,
                tokens,
                warmup,
                repetitions,
                seed);
    }

    private static TuneStage of(
            String name,
            Probe probe,
            List<Candidate> candidates,
            double share,
            int prompts,
            int most,
            int tokens,
            int number) {
        var settings = probe.settings();
        double seconds = settings.seconds() * share;
        // Every candidate is taken to be as slow as plain decoding.
        double each = probe.secondsPerToken() * (candidates.size() + 1);
        int fitting = Math.max(FEWEST_TOKENS, (int) (seconds / (each * prompts)));
        int length = Math.min(settings.maxTokens(), Math.min(tokens, fitting));
        double turns = seconds / (each * length);
        int limit = most == 0 ? 0 : (int) Math.clamp(turns, prompts, most);
        int all = limit == 0 ? probe.prompts() : Math.min(limit, probe.prompts());
        return new TuneStage(
                name,
                candidates,
                "",
                seconds,
                prompts,
                limit,
                length,
                (int) Math.clamp(turns * WARMUP, 0, MOST_WARMUP),
                (int) Math.clamp(turns / all, 1, MOST_REPETITIONS),
                settings.seed() + number);
    }

    /// The same with the target in another number format.
    TuneStage in(String format, List<Candidate> others) {
        return new TuneStage(
                "4-" + format,
                others,
                format,
                seconds,
                prompts,
                most,
                tokens,
                warmup,
                repetitions,
                seed);
    }

    /// Whether the advice follows from it.
    boolean decides() {
        return name.equals(DECISION_NAME);
    }

    /// Where the number of prompts was chosen for the time, they may take twice that, for the ratios of a single prompt are noise.
    Budget budget() {
        double time = Math.max(1, most == 0 ? seconds : 2 * seconds);
        return new Budget(
                most == 0 ? OptionalInt.empty() : OptionalInt.of(most),
                Optional.of(Duration.ofMillis((long) (1000 * time))));
    }

    String yaml(TuneSettings settings) {
        int test = decides() && settings.temperature() > 0 ? 3 : 0;
        return settings.yaml(
                name,
                precision,
                settings.protocol(prompts, warmup, repetitions, test, seed),
                tokens,
                candidates);
    }
}
