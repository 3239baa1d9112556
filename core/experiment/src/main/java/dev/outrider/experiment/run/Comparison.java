package dev.outrider.experiment.run;

import dev.outrider.engine.decode.DecodeListener;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Generation;
import dev.outrider.engine.decode.Ticker;
import dev.outrider.engine.metrics.MetricsCollector;
import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.FinishReason;
import dev.outrider.spi.OutriderException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// Runs a comparison: for every repetition and prompt each side generates once, in changing order. Confined to one thread.
///
/// A prompt that fails on one side is left out of all. A turn that was cancelled before every side had finished is left
/// out too, so that what remains is always paired.
public final class Comparison {
    private final ComparisonPlan plan;
    private final Ticker ticker;
    private final ComparisonListener listener;
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
        this.plan = plan;
        this.ticker = ticker;
        this.listener = listener;
        this.cancelled = cancelled;
    }

    /// Run to the end, or until cancelled.
    ///
    /// @throws OutriderException the first failure, if every prompt failed
    public ComparisonResult run() {
        warmUp();
        var schedule = new Schedule(plan.contenders(), plan.order(), plan.seed());
        for (int repetition = 0; repetition < plan.repetitions(); repetition++) {
            for (int prompt = 0;
                    prompt < plan.prompts().size() && !cancelled.getAsBoolean();
                    prompt++) {
                if (!failures.containsKey(prompt)) {
                    int turn = repetition * plan.prompts().size() + prompt;
                    turn(schedule.turn(turn), prompt, repetition);
                }
            }
        }
        if (failures.size() == plan.prompts().size() && firstFailure.isPresent()) {
            throw firstFailure.get();
        }
        return new ComparisonResult(
                plan,
                generations,
                List.copyOf(failures.values()),
                mismatches,
                cancelled.getAsBoolean());
    }

    private void warmUp() {
        Set<Integer> failed = new HashSet<>();
        for (int i = 0; i < plan.warmup(); i++) {
            int prompt = i % plan.prompts().size();
            for (Contender contender : plan.contenders()) {
                if (cancelled.getAsBoolean() || failed.contains(prompt)) {
                    continue;
                }
                listener.starting(contender, plan.prompts().get(prompt), true);
                try {
                    generate(contender, prompt, -1 - i, DecodeListener.none());
                } catch (OutriderException e) {
                    failed.add(prompt); // met again, and reported, when it is measured
                }
            }
        }
    }

    private void turn(List<Contender> sides, int prompt, int repetition) {
        List<GenerationRecord> records = new ArrayList<>();
        for (Contender contender : sides) {
            listener.starting(contender, plan.prompts().get(prompt), false);
            try {
                Optional<GenerationRecord> record = measure(contender, prompt, repetition);
                if (record.isEmpty()) {
                    return;
                }
                records.add(record.get());
            } catch (OutriderException e) {
                leaveOut(prompt, contender, e);
                return;
            }
        }
        generations.addAll(records);
        for (Contender contender : sides) {
            record(records, contender)
                    .ifPresent(record ->
                            listener.measured(contender, plan.prompts().get(prompt), record));
            check(contender, records, prompt);
        }
    }

    private Optional<GenerationRecord> measure(Contender contender, int prompt, int repetition) {
        var recorder = new Recorder();
        var metrics = new MetricsCollector();
        long start = ticker.nanos();
        Generation generation = generate(contender, prompt, repetition, metrics.and(recorder));
        long wall = ticker.nanos() - start;
        if (generation.reason() == FinishReason.CANCELLED) {
            return Optional.empty();
        }
        if (generation.tokens().length == 0) {
            throw new OutriderException(
                    ErrorCode.DATA_INVALID,
                    "'%s' emitted no token for prompt '%s'"
                            .formatted(contender.name(), plan.prompts().get(prompt).id()),
                    "Choose a prompt that leaves room for tokens.");
        }
        return Optional.of(
                new GenerationRecord(
                        contender.name(),
                        prompt,
                        repetition,
                        Arrays.stream(generation.tokens()).boxed().toList(),
                        wall,
                        metrics.metrics(),
                        recorder.rounds()));
    }

    private Generation generate(
            Contender contender, int prompt, int repetition, DecodeListener recorder) {
        var request =
                new DecodeRequest(
                        plan.prompts().get(prompt).array(),
                        plan.maxTokens(),
                        contender.policy(),
                        plan.stop(),
                        plan.ignoreEndOfSequence());
        var coins = plan.coins(contender, prompt, repetition);
        return contender.decoder().decode(request, coins, recorder, cancelled);
    }

    private void leaveOut(int prompt, Contender contender, OutriderException failure) {
        if (firstFailure.isEmpty()) {
            firstFailure = Optional.of(failure);
        }
        String id = plan.prompts().get(prompt).id();
        var failed = new FailedPrompt(id, contender.name(), String.valueOf(failure.getMessage()));
        failures.put(prompt, failed);
        generations.removeIf(record -> record.prompt() == prompt);
        mismatches.removeIf(mismatch -> mismatch.prompt().equals(id));
        listener.failed(failed);
    }

    private void check(Contender contender, List<GenerationRecord> records, int prompt) {
        if (contender.plain() || !contender.policy().greedy()) {
            return;
        }
        Optional<GenerationRecord> variant = record(records, contender);
        Optional<GenerationRecord> plain =
                records.stream()
                        .filter(record -> record.side().equals(contender.baseline()))
                        .findFirst();
        if (variant.isPresent() && plain.isPresent()) {
            GreedyCheck.compare(
                            plan.prompts().get(prompt),
                            plain.get(),
                            variant.get(),
                            contender.decoder().target())
                    .filter(mismatch -> !mismatches.contains(mismatch))
                    .ifPresent(mismatches::add);
        }
    }

    private static Optional<GenerationRecord> record(
            List<GenerationRecord> records, Contender contender) {
        return records.stream()
                .filter(record -> record.side().equals(contender.name()))
                .findFirst();
    }
}
