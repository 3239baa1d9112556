package dev.outrider.experiment.run;

import dev.outrider.common.Ticker;
import dev.outrider.engine.decode.BatchDecoder;
import dev.outrider.engine.decode.Generation;
import dev.outrider.engine.metrics.DecodeMetrics.MetricsCollector;
import dev.outrider.experiment.config.ExperimentConfig.Order;
import dev.outrider.experiment.run.ComparisonResult.FailedPrompt;
import dev.outrider.experiment.run.SampleRecorder.DecidedRound;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.run.RunListener.Sequence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/// Runs a comparison: for every repetition and prompt each variant generates once, in changing order. Confined to one thread.
///
/// Prompts that are decoded together take their turn together, on every variant. A group in which a prompt fails on one variant is left
/// out of all. A turn that was cancelled before every variant had finished is left out too, so that what remains is always paired.
public final class Comparison {
    /// The time from the first round after which a warm-up generation ends, but not before its second round: by then all code has
    /// run that the compiler should compile.
    public static final long WARM_UP_NANOS = 1_000_000_000;

    private final ComparisonPlan plan;
    private final Ticker ticker;
    private final List<Listener> listeners;
    private final RunListeners followers;
    private final StoppingRule looking;
    private final BooleanSupplier cancelled;
    private final List<GenerationRecord> generations = new ArrayList<>();
    private final Map<Integer, FailedPrompt> failures = new HashMap<>();
    private final List<ComparisonResult.Mismatch> mismatches = new ArrayList<>();
    private final PromptReads reads;
    private Optional<OutriderException> firstFailure = Optional.empty();

    /// @param plan      what to run
    /// @param ticker    clock of the generations
    /// @param listener  told about progress
    /// @param cancelled asked before every round; once it is true the comparison ends with what it has
    public Comparison(
            ComparisonPlan plan, Ticker ticker, Listener listener, BooleanSupplier cancelled) {
        this(
                plan,
                ticker,
                List.of(listener),
                RunListeners.none(),
                StoppingRule.atTheEnd(),
                cancelled);
    }

    /// As the other constructor, for a run that plugins follow and that may end before its last prompt.
    ///
    /// @param followers told about every measured sequence, from its beginning; a failure of one ends the run
    /// @param looking   asked whether to continue
    public Comparison(
            ComparisonPlan plan,
            Ticker ticker,
            List<Listener> listeners,
            RunListeners followers,
            StoppingRule looking,
            BooleanSupplier cancelled) {
        this.plan = plan;
        this.ticker = ticker;
        this.listeners = listeners;
        this.followers = followers;
        this.looking = looking;
        this.cancelled = cancelled;
        reads = new PromptReads(plan, ticker);
    }

    /// Runs to the end, or until cancelled.
    ///
    /// @throws OutriderException the first failure, if every prompt failed
    public ComparisonResult run() {
        try (reads) {
            reads.begin();
            warmUp();
            reads.begin(); // Code that was not compiled yet has read slower.
            return measured();
        }
    }

    private ComparisonResult measured() {
        var schedule = new Schedule(plan.variants(), plan.order(), plan.seed());
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
        return cancelled.getAsBoolean() || !generations.isEmpty() && looking.spent();
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
        for (int i = 0; i < plan.warmup() && !looking.warm(); i++) {
            int number = i % groups.size();
            for (Variant variant : plan.variants()) {
                if (cancelled.getAsBoolean() || failed.contains(number)) {
                    continue;
                }
                starting(variant, groups.get(number), true);
                try {
                    warmUp(variant, groups.get(number), -1 - i);
                } catch (OutriderException e) {
                    failed.add(number); // met again, and reported, when it is measured
                }
            }
        }
    }

    private void warmUp(Variant variant, List<Integer> group, int repetition) {
        reads.read(group);
        var done = new MetricsCollector();
        var end = new AtomicLong();
        generate(
                variant,
                group,
                repetition,
                _ -> done,
                () -> {
                    if (done.metrics().rounds() <= group.size()) {
                        end.set(ticker.nanos() + WARM_UP_NANOS);
                    }
                    return cancelled.getAsBoolean() || ticker.nanos() > end.get();
                });
    }

    private void starting(Variant variant, List<Integer> group, boolean warmup) {
        for (int prompt : group) {
            listeners.forEach(each -> each.starting(variant, plan.prompts().get(prompt), warmup));
        }
    }

    private void turn(List<Variant> variants, List<Integer> group, int repetition) {
        List<GenerationRecord> records = new ArrayList<>();
        for (Variant variant : variants) {
            starting(variant, group, false);
            try {
                List<GenerationRecord> measured = measure(variant, group, repetition);
                if (measured.isEmpty()) {
                    return;
                }
                records.addAll(measured);
            } catch (OutriderException e) {
                followers.requireWorking();
                group.forEach(prompt -> leaveOut(prompt, variant, e));
                return;
            }
        }
        generations.addAll(records);
        for (int prompt : group) {
            List<GenerationRecord> own =
                    records.stream().filter(record -> record.prompt() == prompt).toList();
            for (Variant variant : variants) {
                record(own, variant.name())
                        .ifPresent(record ->
                                listeners.forEach(each ->
                                        each.measured(
                                                variant, plan.prompts().get(prompt), record)));
                check(variant, own, prompt);
            }
        }
    }

    /// Returns one record for each prompt of a group; none if it was cancelled.
    private List<GenerationRecord> measure(Variant variant, List<Integer> group, int repetition) {
        boolean keep = this.generations.stream().allMatch(each -> each.beginning().isEmpty());
        Map<Integer, Recorder> recorders = new HashMap<>();
        reads.read(group);
        group.forEach(prompt -> recorders.put(prompt, new Recorder(reads.nanos(prompt), keep)));
        long reading = recorders.values().stream().mapToLong(each -> each.reading).sum();
        long start = ticker.nanos();
        IntFunction<DecodeListener> following =
                prompt -> {
                    var id = plan.prompts().get(prompt).id();
                    var sequence = new Sequence(variant.name(), id, repetition);
                    return Objects.requireNonNull(recorders.get(prompt)).with(followers, sequence);
                };
        var generations = generate(variant, group, repetition, following, cancelled);
        long wall = ticker.nanos() - start + reading;
        if (generations.size() < group.size()) {
            return List.of(); // cancelled before all of them had begun
        }
        long all = 0;
        for (int i = 0; i < group.size(); i++) {
            Generation generation = generations.get(i);
            if (generation.reason() == DecodeEvent.FinishReason.CANCELLED) {
                return List.of();
            }
            if (generation.tokens().length == 0) {
                throw ErrorCode.DATA_INVALID.error(
                        "'%s' emitted no token for prompt '%s'"
                                .formatted(variant.name(), plan.prompts().get(group.get(i)).id()),
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
                            variant.name(),
                            group.get(i),
                            repetition,
                            Arrays.stream(tokens).boxed().toList(),
                            group.size() == 1 ? wall : wall * tokens.length / all,
                            recorder.metrics.metrics(),
                            recorder.rounds,
                            generations.get(i).hypotheses(),
                            recorder.reading,
                            recorder.beginning));
        }
        return records;
    }

    private List<Generation> generate(
            Variant variant,
            List<Integer> group,
            int repetition,
            IntFunction<DecodeListener> recorder,
            BooleanSupplier ended) {
        List<BatchDecoder.Item> items =
                group.stream()
                        .map(prompt -> item(variant, prompt, repetition, recorder.apply(prompt)))
                        .toList();
        if (items.size() > 1) {
            return new BatchDecoder(variant.decoder(), items.size())
                    .decode(items, ended).stream().flatMap(Optional::stream).toList();
        }
        var only = items.getFirst();
        return List.of(variant.generate(only.request(), only.randomness(), only.listener(), ended));
    }

    private BatchDecoder.Item item(
            Variant variant, int prompt, int repetition, DecodeListener recorder) {
        return new BatchDecoder.Item(
                plan.request(variant, prompt),
                plan.randomness(variant, prompt, repetition),
                recorder);
    }

    private void leaveOut(int prompt, Variant variant, OutriderException failure) {
        if (firstFailure.isEmpty()) {
            firstFailure = Optional.of(failure);
        }
        String id = plan.prompts().get(prompt).id();
        var failed = new FailedPrompt(id, variant.name(), String.valueOf(failure.getMessage()));
        failures.put(prompt, failed);
        generations.removeIf(record -> record.prompt() == prompt);
        mismatches.removeIf(mismatch -> mismatch.prompt().equals(id));
        listeners.forEach(each -> each.failed(failed));
    }

    private void check(Variant variant, List<GenerationRecord> records, int prompt) {
        if (variant.plain() || !variant.policy().greedy()) {
            return;
        }
        Optional<GenerationRecord> actual = record(records, variant.name());
        Optional<GenerationRecord> plain = record(records, variant.baseline());
        if (actual.isPresent() && plain.isPresent()) {
            var mismatch =
                    variant.beams().isPresent()
                            ? GreedyCheck.Beams.compare(
                                    plan.prompts().get(prompt),
                                    plain.get().hypotheses(),
                                    variant.name(),
                                    actual.get().hypotheses())
                            : GreedyCheck.compare(
                                    plan.prompts().get(prompt),
                                    plain.get().tokens(),
                                    variant.name(),
                                    actual.get().tokens(),
                                    variant.decoder(),
                                    variant.policy());
            mismatch.filter(each -> !mismatches.contains(each)).ifPresent(mismatches::add);
        }
    }

    private static Optional<GenerationRecord> record(
            List<GenerationRecord> records, String variant) {
        return records.stream().filter(record -> record.variant().equals(variant)).findFirst();
    }

    /// Follows a comparison while it runs. Called on the running thread, outside timed sections.
    public interface Listener {
        /// A generation of warm-up or measurement begins.
        default void starting(Variant variant, Prompt prompt, boolean warmup) {}

        /// A measured generation is complete.
        default void measured(Variant variant, Prompt prompt, GenerationRecord record) {}

        /// A prompt failed and is left out.
        default void failed(FailedPrompt failure) {}
    }

    /// Shows how many generations of a comparison have begun, warm-up included.
    public static final class Steps implements Listener {
        private final Progress progress;
        private final int of;
        private int done;

        public Steps(ComparisonPlan plan, Progress progress) {
            this.progress = progress;
            of = plan.generations() + plan.warmup() * plan.variants().size() * plan.batch();
        }

        @Override
        public void starting(Variant variant, Prompt prompt, boolean warmup) {
            String what = (warmup ? "warming up " : "") + variant.name() + ", " + prompt.id();
            progress.at(what, done++, of);
        }
    }

    /// Keeps the numbers of each round of one generation that a report needs. Confined to one thread.
    private static final class Recorder implements DecodeListener {
        private final List<RoundRecord> rounds = new ArrayList<>();
        private final List<DecidedRound> beginning = new ArrayList<>();
        private final MetricsCollector metrics = new MetricsCollector();
        private final long reading;
        private boolean keeps;

        /// @param reading nanoseconds in which the target read the prompt for all variants
        /// @param keeps   whether the first rounds are kept for a sample
        Recorder(long reading, boolean keeps) {
            this.reading = reading;
            this.keeps = keeps;
        }

        /// Returns this listener and those of a run; for all of them, reading the prompt is a part of the prefill.
        DecodeListener with(RunListeners followers, Sequence sequence) {
            var all = followers.following(this, sequence);
            return reading == 0 ? all : new Charged(all, reading);
        }

        @Override
        public void onEvent(DecodeEvent event) {
            metrics.onEvent(event);
            switch (event) {
                case DecodeEvent.RoundCompleted round -> {
                    rounds.add(RoundRecord.of(round));
                    if (keeps) {
                        beginning.add(DecidedRound.of(round));
                        keeps = metrics.metrics().emitted() < SampleRecorder.MAX_TOKENS;
                    }
                }
                case DecodeEvent.BeamPassCompleted pass -> rounds.add(RoundRecord.of(pass));
                case DecodeEvent.Prefilled _,
                        DecodeEvent.PluginFailed _,
                        DecodeEvent.Finished _ -> {}
            }
        }
    }

    /// A listener to a sequence whose prompt was read before.
    private record Charged(DecodeListener listener, long reading) implements DecodeListener {
        @Override
        public void onEvent(DecodeEvent event) {
            listener.onEvent(
                    event instanceof DecodeEvent.Prefilled(int tokens, long target, long drafter)
                            ? new DecodeEvent.Prefilled(tokens, target + reading, drafter)
                            : event);
        }

        @Override
        public void onText(String text) {
            listener.onText(text);
        }

        @Override
        public boolean wantsText() {
            return listener.wantsText();
        }
    }

    /// The order in which variants take their turn on a prompt, so that drift of the machine hits all variants alike.
    record Schedule(List<Variant> variants, Order order, long seed) {
        /// Every variant once.
        ///
        /// @param turn counts prompts and repetitions, from 0
        List<Variant> turn(int turn) {
            List<Variant> turned = new ArrayList<>(variants);
            switch (order) {
                case ROTATING -> Collections.rotate(turned, -(turn % turned.size()));
                case RANDOM -> Collections.shuffle(turned, new Random(seed * 31 + turn));
            }
            return turned;
        }
    }
}
