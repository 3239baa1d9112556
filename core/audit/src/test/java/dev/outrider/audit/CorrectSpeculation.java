package dev.outrider.audit;

import dev.outrider.audit.Audit.Outcome;
import dev.outrider.audit.Audit.Settings;
import dev.outrider.audit.Hypotheses.Written;
import dev.outrider.common.sampling.OperatorChain;
import dev.outrider.common.sampling.SamplingOperators.Dry;
import dev.outrider.common.sampling.SamplingOperators.DynamicTemperature;
import dev.outrider.common.sampling.SamplingOperators.Mirostat;
import dev.outrider.common.sampling.SamplingOperators.Xtc;
import dev.outrider.engine.assembly.Pairing;
import dev.outrider.engine.check.Compatibility.LossyPairings;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.experiment.run.Prompt;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.testkit.TableDrafter;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// Audits of the engine's own speculation, which is exact, with every drafting method and every sampling operator.
final class CorrectSpeculation {
    private static final int TOKENS = 32;
    private static final int REQUESTS = 8;
    private static final double LEVEL = .05;

    /// Tokens that end a text; the text goes on after them, but `minTokens` forbids them at first.
    private static final Set<Integer> ENDS = Set.of(1);

    private CorrectSpeculation() {}

    /// Samplers by name: a policy and the other operators that are on.
    static Map<String, Setting> samplers() {
        var samplers = new LinkedHashMap<String, Setting>();
        var warm = SamplingPolicy.atTemperature(.8);
        samplers.put("greedy", new Setting(SamplingPolicy.argmax(), Optional.empty()));
        samplers.put("temperature", new Setting(warm, Optional.empty()));
        samplers.put(
                "top-k, top-p, min-p",
                new Setting(new SamplingPolicy(.8, 8, .9, .05, 1), Optional.empty()));
        samplers.put(
                "repetition penalty",
                new Setting(new SamplingPolicy(.8, 0, 1, 0, 1.3), Optional.empty()));
        var operators = new LinkedHashMap<String, Object>();
        operators.put("presencePenalty", .5);
        operators.put("frequencyPenalty", .4);
        operators.put("bias", Map.of("3", 1.5));
        operators.put("banned", List.of(2));
        operators.put("dry", Optional.of(new Dry(.8, 1.5, 2, 0, List.of())));
        operators.put("topNSigma", 1.0);
        operators.put("typical", .8);
        operators.put("topA", .1);
        operators.put("epsilon", .03);
        operators.put("eta", .05);
        operators.put("xtc", Optional.of(new Xtc(.5, .1)));
        operators.put("dynamicTemperature", Optional.of(new DynamicTemperature(.3, 1)));
        operators.put("mirostat", Optional.of(new Mirostat(2, .2)));
        operators.put("allowed", List.of(0, 1, 3, 4, 6));
        operators.put("minTokens", 9);
        operators.forEach((name, value) ->
                samplers.put(name, new Setting(warm, Optional.of(Toy.operators(name, value)))));
        var truncated = new SamplingPolicy(.8, 8, .9, .05, 1.2);
        for (var order : List.of("transformers", "vllm", "sglang", "llama.cpp")) {
            var ordered = Optional.of(Toy.operators("order", order));
            samplers.put("order of " + order, new Setting(truncated, ordered));
        }
        return samplers;
    }

    /// Drafters by name.
    static Map<String, Drafter> drafters(TableModel draft, int vocabulary) {
        var drafters = new LinkedHashMap<String, Drafter>();
        var warm = SamplingPolicy.atTemperature(.8);
        for (int length = 1; length <= 4; length++) {
            drafters.put(
                    "chain " + length, new TableDrafter(draft, new TreePlan.Chain(length), warm));
        }
        var greedy = SamplingPolicy.argmax();
        drafters.put("greedy chain", new TableDrafter(draft, new TreePlan.Chain(3), greedy));
        drafters.put(
                "tree of the best",
                new TableDrafter(draft, new TreePlan.LevelWidths(List.of(2, 2)), warm));
        drafters.put(
                "tree with replacement",
                new TableDrafter(draft, new TreePlan.SampledWithReplacement(List.of(2, 2)), warm));
        drafters.put(
                "tree without replacement",
                new TableDrafter(
                        draft, new TreePlan.SampledWithoutReplacement(List.of(3, 1)), warm));
        drafters.put(
                "prompt lookup",
                new TableDrafter(lookup(vocabulary), new TreePlan.Chain(3), greedy));
        return drafters;
    }

    /// Guesses the token that followed the last token at its previous occurrence.
    private static TableModel lookup(int vocabulary) {
        return TableModel.of(
                vocabulary,
                prefix -> {
                    int last = prefix.size() - 1;
                    int before = prefix.subList(0, last).lastIndexOf(prefix.get(last));
                    int next = before < 0 ? 0 : prefix.get(before + 1);
                    return IntStream.range(0, vocabulary)
                            .mapToDouble(token -> token == next ? 1 : 1e-9)
                            .toArray();
                });
    }

    /// One audit at level 0.05.
    static Outcome audit(
            TableModel target,
            TableModel draft,
            int vocabulary,
            Drafter drafter,
            Setting sampler,
            long seed) {
        var served = new TableTarget(target, 100, ENDS);
        var pairing =
                Pairing.of(
                        drafter.traits(),
                        Optional.empty(),
                        sampler.policy(),
                        LossyPairings.inFile(false));
        var operators =
                new ProcessorChain(
                        List.of(), false, OperatorChain.of(sampler.operators(), vocabulary, ENDS));
        var decoder =
                new Decoder(
                                served,
                                Optional.of(drafter),
                                pairing.rule(),
                                FixedLength.drafterLimit(),
                                true,
                                () -> 0)
                        .withProcessors(operators);
        var plain =
                new Decoder(
                                served,
                                Optional.empty(),
                                Pairing.plain(sampler.policy()).rule(),
                                FixedLength.drafterLimit(),
                                true,
                                () -> 0)
                        .withProcessors(operators);
        var prompts =
                IntStream.range(0, 4)
                        .mapToObj(each ->
                                new Prompt("p" + each, "toy", List.of(each, each + 1), List.of()))
                        .toList();
        var own = new ArrayList<Written>();
        for (var prompt : prompts) {
            own.add(new Written(prompt, written(plain, prompt, sampler, -seed - 1)));
        }
        var audit =
                new Audit(
                        served,
                        sampler,
                        ProcessorChain.none(),
                        List.of(),
                        Optional.of(TableTarget.of(draft)),
                        own,
                        new Settings(REQUESTS, LEVEL, .25, 3, true, false, TOKENS, seed),
                        () -> false);
        for (int request = 0; request < REQUESTS && !audit.settled(); request++) {
            var prompt = prompts.get(request % prompts.size());
            int[] ids = written(decoder, prompt, sampler, seed * REQUESTS + request);
            audit.take(
                    new Answer(
                            "",
                            prompt.id(),
                            prompt.ids(),
                            Arrays.stream(ids).boxed().toList(),
                            false,
                            "",
                            "length"));
        }
        return audit.outcome(true);
    }

    private static int[] written(Decoder decoder, Prompt prompt, Setting sampler, long seed) {
        return decoder.decode(
                        new DecodeRequest(
                                prompt.array(), TOKENS, sampler.policy(), List.of(), true),
                        RandomnessSource.of(new KeyedRandomStreams(seed, prompt.id().hashCode())))
                .tokens();
    }
}
