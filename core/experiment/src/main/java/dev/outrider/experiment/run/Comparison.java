package dev.outrider.experiment.run;

import dev.outrider.common.Ticker;
import dev.outrider.engine.decode.BatchDecoder;
import dev.outrider.engine.decode.Generation;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.run.DecodeEvent.FinishReason;
import dev.outrider.spi.run.RunListener.Sequence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/// Runs a comparison: for every repetition and prompt each side generates once, in changing order. Confined to one thread.
///
/// A drafter that learns does so after each of its turns, in its side's time, and begins every repetition anew.
///
/// Prompts that are decoded together take their turn together, on every side. A group in which a prompt fails on one side is left
/// out of all. A turn that was cancelled before every side had finished is left out too, so that what remains is always paired.
public final class Comparison {
    private final ComparisonPlan plan;
    private final Ticker ticker;
    private final ComparisonListener listener;
    private final RunListeners followers;
    private final Looking looking;
    private final BooleanSupplier cancelled;
    private final List<GenerationRecord> generations = new ArrayList<>();
    private final Map<Integer, FailedPrompt> failures = new HashMap<>();
    private final List<Mismatch> mismatches = new ArrayList<>();
    private Optional<OutriderException> firstFailure = Optional.empty();

    /// @param plan      what to run
    /// @param ticker    clock of the generations
    /// @param listener  told about progress
    /// @param cancelled asked before every round; once it is true the comparison ends with what it has
    public Comparison(
            ComparisonPlan plan,
            Ticker ticker,
            ComparisonListener listener,
            BooleanSupplier cancelled) {
        this(plan, ticker, listener, RunListeners.none(), Looking.atTheEnd(), cancelled);
    }

    /// As the other, for a run that plugins follow and that may end before its last prompt.
    ///
    /// @param followers told about every measured sequence, from its beginning; a failure of one ends the run
    /// @param looking   asked whether to go on
    public Comparison(
            ComparisonPlan plan,
            Ticker ticker,
            ComparisonListener listener,
            RunListeners followers,
            Looking looking,
            BooleanSupplier cancelled) {
        this.plan = plan;
        this.ticker = ticker;
        this.listener = listener;
        this.followers = followers;
        this.looking = looking;
        this.cancelled = cancelled;
    }

    /// Run to the end, or until cancelled.
    ///
    /// @throws OutriderException the first failure, if every prompt failed
    public ComparisonResult run() {
        warmUp();
        var schedule = new Schedule(plan.sides(), plan.order(), plan.seed());
        var groups = plan.groups();
        int from = 0;
        int look = 0;
        for (int to : looking.sizes(groups.size())) {
            measure(schedule, groups, from, to);
            from = to;
            look++;
            if (looking.enough(result(), look) || over()) {
                break;
            }
        }
        if (failures.size() == from * plan.batch() && firstFailure.isPresent()) {
            throw firstFailure.get();
        }
        return result();
    }

    /// Measures some of the groups in every repetition.
    private void measure(Schedule schedule, List<List<Integer>> groups, int from, int to) {
        for (int repetition = 0; repetition < plan.repetitions(); repetition++) {
            plan.sides().forEach(Side::restart);
            for (int number = from; number < to && !over(); number++) {
                List<Integer> group = groups.get(number);
                if (!failures.containsKey(group.getFirst())) {
                    int turn = repetition * groups.size() + number;
                    turn(schedule.turn(turn), group, repetition);
                }
            }
        }
    }

    private boolean over() {
        return cancelled.getAsBoolean() || looking.spent();
    }

    private ComparisonResult result() {
        return new ComparisonResult(
                plan,
                generations,
                List.copyOf(failures.values()),
                mismatches,
                cancelled.getAsBoolean());
    }

    private void warmUp() {
        Set<Integer> failed = new HashSet<>();
        var groups = plan.groups();
        for (int i = 0; i < plan.warmup(); i++) {
            int number = i % groups.size();
            for (Side side : plan.sides()) {
                if (cancelled.getAsBoolean() || failed.contains(number)) {
                    continue;
                }
                starting(side, groups.get(number), true);
                try {
                    generate(side, groups.get(number), -1 - i, _ -> DecodeListener.none());
                    side.learn();
                } catch (OutriderException e) {
                    failed.add(number); // met again, and reported, when it is measured
                }
            }
        }
    }

    private void starting(Side side, List<Integer> group, boolean warmup) {
        group.forEach(prompt -> listener.starting(side, plan.prompts().get(prompt), warmup));
    }

    private void turn(List<Side> sides, List<Integer> group, int repetition) {
        List<GenerationRecord> records = new ArrayList<>();
        for (Side side : sides) {
            starting(side, group, false);
            try {
                List<GenerationRecord> measured = measure(side, group, repetition);
                if (measured.isEmpty()) {
                    return;
                }
                records.addAll(measured);
            } catch (OutriderException e) {
                followers.requireWorking();
                group.forEach(prompt -> leaveOut(prompt, side, e));
                return;
            }
        }
        generations.addAll(records);
        for (int prompt : group) {
            List<GenerationRecord> own =
                    records.stream().filter(record -> record.prompt() == prompt).toList();
            for (Side side : sides) {
                record(own, side)
                        .ifPresent(record ->
                                listener.measured(side, plan.prompts().get(prompt), record));
                check(side, own, prompt);
            }
        }
    }

    /// One record for each prompt of a group; none if it was cancelled.
    private List<GenerationRecord> measure(Side side, List<Integer> group, int repetition) {
        Map<Integer, Recorder> recorders = new HashMap<>();
        group.forEach(prompt -> recorders.put(prompt, new Recorder()));
        long start = ticker.nanos();
        List<Generation> generations =
                generate(
                        side,
                        group,
                        repetition,
                        prompt ->
                                followers.following(
                                        Objects.requireNonNull(recorders.get(prompt)),
                                        new Sequence(
                                                side.name(),
                                                plan.prompts().get(prompt).id(),
                                                repetition)));
        long generated = ticker.nanos();
        side.learn();
        long end = ticker.nanos();
        long wall = end - start;
        long learning = end - generated;
        if (generations.size() < group.size()) {
            return List.of(); // cancelled before all of them had begun
        }
        long all = 0;
        for (int i = 0; i < group.size(); i++) {
            Generation generation = generations.get(i);
            if (generation.reason() == FinishReason.CANCELLED) {
                return List.of();
            }
            if (generation.tokens().length == 0) {
                throw new OutriderException(
                        ErrorCode.DATA_INVALID,
                        "'%s' emitted no token for prompt '%s'"
                                .formatted(side.name(), plan.prompts().get(group.get(i)).id()),
                        "Choose a prompt that leaves room for tokens.");
            }
            all += generation.tokens().length;
        }
        List<GenerationRecord> records = new ArrayList<>();
        for (int i = 0; i < group.size(); i++) {
            int[] tokens = generations.get(i).tokens();
            var recorder = Objects.requireNonNull(recorders.get(group.get(i)));
            records.add(
                    new GenerationRecord(
                            side.name(),
                            group.get(i),
                            repetition,
                            Arrays.stream(tokens).boxed().toList(),
                            group.size() == 1 ? wall : wall * tokens.length / all,
                            recorder.metrics(),
                            recorder.rounds(),
                            generations.get(i).hypotheses(),
                            group.size() == 1 ? learning : learning * tokens.length / all));
        }
        return records;
    }

    private List<Generation> generate(
            Side side, List<Integer> group, int repetition, IntFunction<DecodeListener> recorder) {
        List<BatchDecoder.Item> items =
                group.stream()
                        .map(prompt -> item(side, prompt, repetition, recorder.apply(prompt)))
                        .toList();
        if (items.size() > 1) {
            return new BatchDecoder(side.decoder(), items.size())
                    .decode(items, cancelled).stream().flatMap(Optional::stream).toList();
        }
        var only = items.getFirst();
        return List.of(
                side.generate(only.request(), only.randomness(), only.listener(), cancelled));
    }

    private BatchDecoder.Item item(Side side, int prompt, int repetition, DecodeListener recorder) {
        return new BatchDecoder.Item(
                plan.request(side, prompt), plan.randomness(side, prompt, repetition), recorder);
    }

    private void leaveOut(int prompt, Side side, OutriderException failure) {
        if (firstFailure.isEmpty()) {
            firstFailure = Optional.of(failure);
        }
        String id = plan.prompts().get(prompt).id();
        var failed = new FailedPrompt(id, side.name(), String.valueOf(failure.getMessage()));
        failures.put(prompt, failed);
        generations.removeIf(record -> record.prompt() == prompt);
        mismatches.removeIf(mismatch -> mismatch.prompt().equals(id));
        listener.failed(failed);
    }

    private void check(Side side, List<GenerationRecord> records, int prompt) {
        if (side.plain() || !side.policy().greedy()) {
            return;
        }
        Optional<GenerationRecord> variant = record(records, side);
        Optional<GenerationRecord> plain =
                records.stream()
                        .filter(record -> record.side().equals(side.baseline()))
                        .findFirst();
        if (variant.isPresent() && plain.isPresent()) {
            var mismatch =
                    side.beams().isPresent()
                            ? BeamCheck.compare(
                                    plan.prompts().get(prompt),
                                    plain.get().hypotheses(),
                                    side.name(),
                                    variant.get().hypotheses())
                            : GreedyCheck.compare(
                                    plan.prompts().get(prompt),
                                    plain.get(),
                                    variant.get(),
                                    side.decoder());
            mismatch.filter(each -> !mismatches.contains(each)).ifPresent(mismatches::add);
        }
    }

    private static Optional<GenerationRecord> record(List<GenerationRecord> records, Side side) {
        return records.stream().filter(record -> record.side().equals(side.name())).findFirst();
    }
}
