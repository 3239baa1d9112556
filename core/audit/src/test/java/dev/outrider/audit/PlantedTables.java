package dev.outrider.audit;

import dev.outrider.audit.Audit.Settings;
import dev.outrider.audit.Audit.Weights;
import dev.outrider.audit.PlantedAudits.Found;
import dev.outrider.experiment.run.Prompt;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// Audits of planted faults over tables whose logits are as large as a language model's.
final class PlantedTables {
    static final int VOCABULARY = 12;
    private static final int DRAFTED = 3;
    private static final int TOKENS = 32;
    private static final double LARGE_LOGIT = 20;

    static final Wanted WARM = Wanted.of(new SamplingPolicy(.8, 0, 1, 0, 1));
    static final Wanted NUCLEUS = Wanted.of(new SamplingPolicy(.8, 0, .8, 0, 1));
    static final Wanted EVERYTHING =
            Wanted.of(new SamplingPolicy(.8, 8, .9, .1, 1)).penalised(.5, .3);

    /// The same table for each seed. A row depends on the prefix's last two tokens; the draft's table is a blurred copy.
    static TableModel table(long seed, boolean draft) {
        return TableModel.of(
                VOCABULARY,
                prefix -> {
                    int from = Math.max(0, prefix.size() - 2);
                    var sharp =
                            new SplittableRandom(
                                    seed + prefix.subList(from, prefix.size()).hashCode());
                    var blur = new SplittableRandom(seed - prefix.getLast());
                    return IntStream.range(0, VOCABULARY)
                            .mapToDouble(_ -> {
                                double logit = 1.6 * sharp.nextGaussian();
                                double off = draft ? .8 * blur.nextGaussian() - .2 * logit : 0;
                                return Math.exp(LARGE_LOGIT + logit + off);
                            })
                            .toArray();
                });
    }

    private static Weights weights(String name, Fault fault, TableModel table) {
        return new Weights(
                name,
                TableTarget.of(
                        TableModel.of(
                                VOCABULARY,
                                prefix -> {
                                    int[] tokens = prefix.stream().mapToInt(each -> each).toArray();
                                    float[] row =
                                            Fault.logits(
                                                    Set.of(fault), table.logits(tokens).clone());
                                    return IntStream.range(0, row.length)
                                            .mapToDouble(token -> Math.exp(row[token]))
                                            .toArray();
                                })));
    }

    static Found audit(Set<Fault> faults, Wanted wanted, double alpha, int requests, long seed) {
        var table = table(seed, false);
        var others =
                List.of(
                        weights("bf16", Fault.BF16, table),
                        weights("int8", Fault.INT8, table),
                        weights("int4", Fault.INT4, table));
        var prompts =
                IntStream.range(0, 4)
                        .mapToObj(each ->
                                new Prompt("p" + each, "toy", List.of(each, each + 1), List.of()))
                        .toList();
        var audits =
                new PlantedAudits(
                        TableTarget.of(table),
                        TableTarget.of(table(seed, true)),
                        others,
                        prompts,
                        TOKENS,
                        DRAFTED);
        var server = new PlantedDecoder(audits.target(), audits.draft(), DRAFTED, faults);
        return audits.audit(
                server,
                wanted,
                new Settings(requests, alpha, .25, DRAFTED, true, false, TOKENS, seed));
    }

    static Wanted wanted(Fault fault) {
        return switch (fault) {
            case MIN_P_IGNORED -> Wanted.of(new SamplingPolicy(1, 0, 1, .1, 1));
            case PENALTY_SKIPPED -> WARM.penalised(.6, .4);
            case TOP_P_ON_DRAFT_ONLY, TOP_P_ON_TARGET_ONLY -> NUCLEUS;
            case JOINT_TRUNCATION -> Wanted.of(new SamplingPolicy(.8, 6, .8, 0, 1));
            default -> WARM;
        };
    }

    /// Returns the name that an audit gives to a fault.
    static String name(Fault fault) {
        return switch (fault) {
            case MIN_P_IGNORED -> "minP ignored";
            case PENALTY_SKIPPED -> "history of the round's start";
            case TEMPERATURE_ON_DRAFT_ONLY -> "temperature ignored";
            case TEMPERATURE_ON_TARGET_ONLY -> "temperature ignored where drafts are drawn";
            case TOP_P_ON_DRAFT_ONLY -> "topP ignored";
            case TOP_P_ON_TARGET_ONLY -> "topP ignored where drafts are drawn";
            case BONUS_FROM_DRAFT -> "bonus from q";
            case JOINT_TRUNCATION -> "order of sglang";
            case ALWAYS_ACCEPT -> "every draft accepted";
            case CORRECTION_FROM_P -> "correction from p";
            case NOISE_REUSED -> "one coin for a round";
            case DRAFT_TOKENIZER -> "drafter's tokenizer (ids 1 too high)";
            case BF16 -> "weights of bf16";
            case INT8 -> "weights of int8";
            case INT4 -> "weights of int4";
        };
    }

    /// Returns whether the first explanation contains all these faults, or contains two that cannot be distinguished from them.
    static boolean namedFirst(Set<Fault> faults, Found found) {
        var names = faults.stream().map(PlantedTables::name).toList();
        return found.outcome().explanations().stream()
                .limit(1)
                .flatMap(each -> each.alike().stream())
                .flatMap(each -> Arrays.stream(each.split(" = ")))
                .map(each ->
                        List.of(
                                each.replaceAll(
                                                " by the target alone| \\((drafts without operators|greedy drafts)\\)",
                                                "")
                                        .split(" \\+ ")))
                .anyMatch(each -> each.size() == names.size() && each.containsAll(names));
    }
}
