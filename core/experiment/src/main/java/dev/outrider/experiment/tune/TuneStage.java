package dev.outrider.experiment.tune;

import dev.outrider.experiment.bench.Bench.Budget;
import dev.outrider.experiment.results.Report;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.experiment.tune.Tuning.Measured;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// One comparison of the search.
///
/// @param name       of its folder
/// @param candidates variants that are compared with plain decoding
/// @param precision  number format of the target; empty for that of its file
/// @param file       of the prompts
/// @param seconds    its planned duration
/// @param prompts    the most prompts
/// @param fitting    prompts that fit into the planned time; infinite if only the time is a limit
/// @param tokens     of a generation
/// @param protocol   lines of its configuration about repetitions
public record TuneStage(
        String name,
        List<Candidate> candidates,
        String precision,
        String file,
        double seconds,
        int prompts,
        double fitting,
        int tokens,
        String protocol) {
    /// The fewest prompts that can show a difference.
    static final int FEWEST_PROMPTS = 6;

    /// The name of the comparison that decides.
    static final String LAST = "3-final";

    /// The share of the time for other number formats.
    static final double FORMATS = 0.25;

    private static final int MAX_PROMPTS = 12;
    private static final int FEWEST_TOKENS = 12;
    private static final int MAX_WARMUP = 20;
    private static final int MAX_REPETITIONS = 5;
    private static final double WARMUP = 0.1;

    /// The time of a comparison if the earlier ones have used all time.
    private static final double MIN_SECONDS = 0.001;

    /// The plan of a comparison.
    ///
    /// @param number in order, from 1
    /// @param share  of all time
    /// @param least  prompts for which there is time in any case
    /// @param tokens most of a generation
    private record Plan(int number, String name, double share, int least, int tokens) {
        static final Plan SCREENING = new Plan(1, "1-screening", 0.25, 2, 32);
        static final Plan HALVING = new Plan(2, "2-halving", 0.3, 3, 64);
        static final Plan FINAL = new Plan(3, LAST, 0.45, FEWEST_PROMPTS, Integer.MAX_VALUE);

        /// The plan if number formats are tried too.
        static final Plan SHORT =
                new Plan(3, LAST, 0.45 - FORMATS, FEWEST_PROMPTS, Integer.MAX_VALUE);
    }

    /// The measured or assumed speed of a comparison.
    ///
    /// @param secondsPerToken of plain decoding and every candidate together
    /// @param length          of a generation, as a share of the most tokens that it may have
    record Pace(double secondsPerToken, double length) {
        /// Assumes every candidate as slow as plain decoding, and every generation of the greatest length.
        static Pace guess(Probe probe, List<Candidate> candidates) {
            return new Pace(probe.secondsPerToken() * (candidates.size() + 1), 1);
        }

        /// Returns the pace that another comparison measured for the candidates.
        static Pace of(Measured measured, List<Candidate> candidates) {
            var names = candidates.stream().map(Candidate::name).toList();
            var own =
                    measured.report().variants().stream()
                            .filter(each -> each.plain() || names.contains(each.name()))
                            .toList();
            double tokens = own.stream().mapToLong(each -> each.counts().emitted()).sum();
            double most =
                    own.stream().mapToLong(each -> each.speed().generations()).sum()
                            * measured.stage().tokens();
            double all = own.stream().mapToDouble(each -> 1 / each.speed().tokensPerSecond()).sum();
            return new Pace(
                    all - (own.size() - 1) * reading(measured.report().coverage(), own),
                    Math.min(1, tokens / most));
        }

        /// Returns the seconds per token in which the target read prompts for all variants; all variants share them.
        private static double reading(Report.Coverage coverage, List<VariantResult> own) {
            return coverage.readOnce().stream()
                    .filter(each -> each == coverage.prompts())
                    .flatMap(_ -> own.stream().map(VariantResult::counts))
                    .mapToDouble(each -> each.prefillNanos() / 1e9 / each.emitted())
                    .min()
                    .orElse(0);
        }
    }

    /// All candidates, for a short time.
    static TuneStage screening(Probe probe) {
        var candidates = probe.first();
        var pace = Pace.guess(probe, candidates);
        return of(Plan.SCREENING, probe, pace, candidates, probe.settings().prompts(), few(probe));
    }

    /// Some of the candidates, for longer.
    static TuneStage halving(Probe probe, List<Candidate> candidates) {
        var pace = Pace.guess(probe, candidates);
        return of(Plan.HALVING, probe, pace, candidates, probe.settings().prompts(), few(probe));
    }

    /// Limits the prompts so that enough are left for the last comparison, if the file has enough.
    private static int few(Probe probe) {
        int all = probe.prompts().size();
        return Math.min(Math.min(MAX_PROMPTS, Math.max(3, all - FEWEST_PROMPTS)), all);
    }

    /// The last candidates, until the comparison is decided or the time is over.
    ///
    /// @param pace  measured by the other comparisons
    /// @param file  of prompts
    /// @param count of prompts in it
    static TuneStage last(
            Probe probe, Pace pace, List<Candidate> candidates, String file, int count) {
        var plan = probe.formats().isEmpty() ? Plan.FINAL : Plan.SHORT;
        return of(plan, probe, pace, candidates, file, count);
    }

    /// Only the last comparison has interim analyses, and tests of the output.
    private static TuneStage of(
            Plan plan, Probe probe, Pace pace, List<Candidate> candidates, String file, int count) {
        var settings = probe.settings();
        boolean last = plan.number == 3;
        int test = last ? settings.testSeconds() : 0;
        double all = settings.seconds() * plan.share;
        double seconds = Math.max(all - test * candidates.size(), all / 2);
        double measuring = seconds * (1 - WARMUP);
        double each = pace.secondsPerToken;
        int most = Math.max(FEWEST_TOKENS, (int) (measuring / (each * plan.least)));
        int tokens = Math.min(settings.maxTokens(), Math.min(plan.tokens, most));
        double fitting = measuring / (each * tokens * pace.length);
        var protocol =
                settings.protocol(
                        file,
                        last ? Math.min(FEWEST_PROMPTS, count) : count,
                        (int) Math.clamp(fitting * WARMUP, 0, MAX_WARMUP),
                        (int) Math.clamp(fitting / count, 1, MAX_REPETITIONS),
                        test,
                        plan.number);
        double planned = last ? fitting : Double.POSITIVE_INFINITY;
        return new TuneStage(
                plan.name, candidates, "", file, seconds, count, planned, tokens, protocol);
    }

    /// The same with the target in another number format.
    ///
    /// @param others the candidates of the new stage
    /// @param drawn  number of prompts of the original plan; another number would have another order
    TuneStage in(String format, List<Candidate> others, double time, int drawn) {
        return new TuneStage(
                "4-" + format,
                others,
                format,
                file,
                time,
                drawn,
                Double.POSITIVE_INFINITY,
                tokens,
                protocol);
    }

    /// Interim analyses are planned for as many prompts as fit into the time, because more possible analyses make wider intervals.
    Budget budget(double time) {
        double left = Math.max(MIN_SECONDS, time);
        int most =
                (int)
                        Math.clamp(
                                fitting * left / seconds,
                                Math.min(FEWEST_PROMPTS, prompts),
                                prompts);
        var millis = Duration.ofMillis((long) (1000 * left));
        return new Budget(OptionalInt.of(most), Optional.of(millis));
    }

    String yaml(TuneSettings settings) {
        return settings.yaml(name, precision, protocol, tokens, candidates);
    }
}
