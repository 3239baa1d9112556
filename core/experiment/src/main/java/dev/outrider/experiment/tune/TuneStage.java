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
/// @param file        of the prompts
/// @param seconds     that it is planned to take
/// @param prompts     most of them
/// @param tokens      of a generation
/// @param warmup      generations of each that are not counted
/// @param repetitions of each prompt
/// @param seed        of the order of prompts
public record TuneStage(
        String name,
        List<Candidate> candidates,
        String precision,
        String file,
        double seconds,
        int prompts,
        int tokens,
        int warmup,
        int repetitions,
        long seed) {
    /// Fewest prompts that can show a difference.
    static final int FEWEST_PROMPTS = 6;

    private static final double SCREENING = 0.25;
    private static final double HALVING = 0.3;

    /// Where number formats are tried too.
    private static final double FINAL = 0.2;

    private static final String FINAL_NAME = "3-final";
    private static final int FEWEST_TOKENS = 12;
    private static final int FEW_TOKENS = 32;
    private static final int MOST_WARMUP = 20;
    private static final int MOST_REPETITIONS = 5;
    private static final double WARMUP = 0.1;
    private static final int MOST_PROMPTS = 12;

    public TuneStage {
        candidates = List.copyOf(candidates);
    }

    /// All candidates, for a short time.
    static TuneStage screening(Probe probe) {
        return of(
                "1-screening",
                probe,
                probe.first(),
                SCREENING,
                2,
                few(probe),
                FEW_TOKENS,
                0,
                probe.settings().prompts());
    }

    /// Some of them, for longer.
    static TuneStage halving(Probe probe, List<Candidate> candidates) {
        return of(
                "2-halving",
                probe,
                candidates,
                HALVING,
                3,
                few(probe),
                2 * FEW_TOKENS,
                1,
                probe.settings().prompts());
    }

    /// Enough prompts are left for the last comparison, if there are enough.
    private static int few(Probe probe) {
        return Math.min(MOST_PROMPTS, Math.max(3, probe.prompts().size() - FEWEST_PROMPTS));
    }

    /// The last ones, until it is decided or time is over.
    ///
    /// @param file  of prompts
    /// @param count of prompts in it
    static TuneStage last(Probe probe, List<Candidate> candidates, String file, int count) {
        double share = probe.formats().isEmpty() ? 1 - SCREENING - HALVING : FINAL;
        return of(
                FINAL_NAME,
                probe,
                candidates,
                share,
                FEWEST_PROMPTS,
                count,
                Integer.MAX_VALUE,
                2,
                file);
    }

    /// @param least prompts for which there is time in any case
    /// @param most  prompts
    private static TuneStage of(
            String name,
            Probe probe,
            List<Candidate> candidates,
            double share,
            int least,
            int most,
            int tokens,
            int number,
            String file) {
        var settings = probe.settings();
        int test = name.equals(FINAL_NAME) ? settings.testSeconds() * candidates.size() : 0;
        double all = settings.seconds() * share;
        double seconds = Math.max(all - test, all / 2);
        double measuring = seconds * (1 - WARMUP);
        // Every candidate is taken to be as slow as plain decoding.
        double each = probe.secondsPerToken() * (candidates.size() + 1);
        int fitting = Math.max(FEWEST_TOKENS, (int) (measuring / (each * least)));
        int length = Math.min(settings.maxTokens(), Math.min(tokens, fitting));
        double turns = measuring / (each * length);
        int available = Math.min(most, probe.prompts().size());
        int prompts = (int) Math.clamp(turns, Math.min(least, available), available);
        return new TuneStage(
                name,
                candidates,
                "",
                file,
                seconds,
                prompts,
                length,
                (int) Math.clamp(turns * WARMUP, 0, MOST_WARMUP),
                (int) Math.clamp(turns / prompts, 1, MOST_REPETITIONS),
                settings.seed() + number);
    }

    /// The same with the target in another number format.
    ///
    /// @param others in place of its candidates
    TuneStage in(String format, List<Candidate> others, double time) {
        return new TuneStage(
                "4-" + format,
                others,
                format,
                file,
                time,
                prompts,
                tokens,
                warmup,
                repetitions,
                seed);
    }

    private boolean decides() {
        return name.equals(FINAL_NAME);
    }

    Budget budget(double time) {
        return new Budget(
                OptionalInt.of(prompts),
                Optional.of(Duration.ofMillis((long) Math.max(1, 1000 * time))));
    }

    /// Returns its configuration. Only the last comparison has interim analyses.
    String yaml(TuneSettings settings) {
        return settings.yaml(
                name,
                precision,
                TuneSettings.protocol(
                        file,
                        decides() ? Math.min(FEWEST_PROMPTS, prompts) : prompts,
                        warmup,
                        repetitions,
                        decides() ? settings.testSeconds() : 0,
                        seed),
                tokens,
                candidates);
    }
}
