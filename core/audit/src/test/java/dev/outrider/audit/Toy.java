package dev.outrider.audit;

import dev.outrider.audit.Alternative.Hypothesis;
import dev.outrider.audit.Audit.Settings;
import dev.outrider.audit.Hypotheses.Written;
import dev.outrider.common.sampling.SamplingOperators;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.experiment.run.Prompt;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// A target and a draft model of a few tokens, and texts that follow any alternative.
final class Toy {
    static final int VOCABULARY = 6;
    static final int LENGTH = 3;
    static final SamplingPolicy POLICY = new SamplingPolicy(.8, 5, .95, .1, 1.3);
    static final Setting CORRECT = new Setting(POLICY, Optional.of(operators("order", "vllm")));
    static final Prompt PROMPT = new Prompt("prompt", "toy", List.of(1, 2), List.of());
    static final TableTarget TARGET = target(1);
    static final TableTarget DRAFT = target(2);
    static final Setting DRAFTS = CORRECT.of(1);

    private static final Map<Setting, List<Written>> OWN = new HashMap<>();

    private Toy() {}

    static TableTarget target(long seed) {
        var near = TableModel.random(VOCABULARY, DistributionStyle.DENSE, seed);
        return TableTarget.of(
                TableModel.of(
                        VOCABULARY,
                        text -> {
                            int from = Math.max(0, text.size() - 2);
                            var end =
                                    text.subList(from, text.size()).stream().mapToInt(each -> each);
                            return near.distribution(
                                    SamplingPolicy.atTemperature(1), end.toArray());
                        }));
    }

    static SamplingOperators operators(String name, Object value) {
        return Change.with(SamplingOperators.none(), name, value);
    }

    static Oracle oracle() {
        return new Oracle(List.of(TARGET, DRAFT), ProcessorChain.none());
    }

    static Audit audit(Setting correct, Settings settings) {
        var texts = OWN.computeIfAbsent(correct, Toy::texts);
        return new Audit(
                TARGET,
                correct,
                ProcessorChain.none(),
                List.of(),
                Optional.of(DRAFT),
                texts,
                settings,
                () -> false);
    }

    private static List<Written> texts(Setting correct) {
        return IntStream.range(0, 6)
                .mapToObj(seed ->
                        new Written(
                                PROMPT,
                                text(
                                        oracle(),
                                        new Alternative.Made("", correct),
                                        24,
                                        new SplittableRandom(seed))))
                .toList();
    }

    static Settings settings(int requests, double alpha, long seed) {
        return new Settings(requests, alpha, .01, LENGTH, false, true, 1, seed);
    }

    static Answer answer(int... text) {
        return new Answer(
                "", "prompt", PROMPT.ids(), IntStream.of(text).boxed().toList(), false, "", "");
    }

    /// Writes a text that follows an alternative.
    static int[] text(Oracle oracle, Hypothesis from, int tokens, SplittableRandom random) {
        var text = new ArrayList<Integer>();
        while (text.size() < tokens) {
            text.add(0);
            int last = text.size() - 1;
            from.begin(0);
            oracle.read(
                    PROMPT.array(),
                    List.of(),
                    text.stream().mapToInt(each -> each).toArray(),
                    place -> {
                        if (place.index() < last) {
                            from.density(place, place.distribution(CORRECT));
                            from.observe(place, place.distribution(CORRECT));
                        } else {
                            text.set(last, drawn(from.predict(place), random));
                        }
                    });
        }
        return text.stream().mapToInt(each -> each).toArray();
    }

    static int drawn(double[] distribution, SplittableRandom random) {
        double rest = random.nextDouble() * Arrays.stream(distribution).sum();
        int token = 0;
        while (token < distribution.length - 1 && rest >= distribution[token]) {
            rest -= distribution[token++];
        }
        return token;
    }
}
