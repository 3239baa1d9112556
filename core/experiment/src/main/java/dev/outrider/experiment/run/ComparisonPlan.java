package dev.outrider.experiment.run;

import dev.outrider.common.Require;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.config.ExperimentConfig.Order;
import dev.outrider.experiment.config.ExperimentConfig.Prefill;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/// The plan of a run.
///
/// @param variants  every variant; each variant's baseline among them
/// @param prompts     at least one
/// @param maxTokens   most tokens of a generation
/// @param stop        texts that end one
/// @param ignoreEndOfSequence whether generations continue after an end-of-sequence token
/// @param seed        of all random decisions
/// @param warmup      generations of each variant before the measurement
/// @param repetitions measured generations of each variant and prompt
/// @param batch       prompts decoded together; the number of prompts is a multiple of it
/// @param order       which variant goes first
/// @param sharesPrompts whether the target reads every prompt once for all variants, if it can
public record ComparisonPlan(
        List<Variant> variants,
        List<Prompt> prompts,
        int maxTokens,
        List<String> stop,
        boolean ignoreEndOfSequence,
        long seed,
        int warmup,
        int repetitions,
        int batch,
        Order order,
        boolean sharesPrompts) {
    public ComparisonPlan {
        variants = List.copyOf(variants);
        prompts = List.copyOf(prompts);
        stop = List.copyOf(stop);
        Require.that(
                !variants.isEmpty() && !prompts.isEmpty() && repetitions >= 1 && warmup >= 0,
                "a comparison needs variants (%d), prompts (%d), repetitions >= 1 (%d) and warmup >= 0 (%d)",
                variants.size(),
                prompts.size(),
                repetitions,
                warmup);
        Require.that(
                batch >= 1 && prompts.size() % batch == 0,
                "%d prompts cannot be decoded %d at a time",
                prompts.size(),
                batch);
    }

    /// The same comparison with other prompts, decoded one by one.
    public ComparisonPlan withPrompts(List<Prompt> chosen) {
        return with(chosen, 1);
    }

    /// Returns the comparison of some variants of an experiment.
    public static ComparisonPlan of(
            ExperimentConfig config,
            List<Variant> variants,
            List<Prompt> prompts,
            int warmup,
            int batch) {
        return new ComparisonPlan(
                variants,
                prompts,
                config.maxTokens(),
                config.stop(),
                config.ignoreEndOfSequence(),
                config.seed(),
                warmup,
                config.protocol().repetitions(),
                batch,
                config.protocol().order(),
                config.protocol().prefill() == Prefill.SHARED);
    }

    /// The same comparison with its prompts in an order drawn by its seed, so that the first prompts are a random sample.
    public ComparisonPlan shuffled() {
        var drawn = new ArrayList<>(prompts);
        Collections.shuffle(drawn, new Random(seed));
        return with(drawn, batch);
    }

    private ComparisonPlan with(List<Prompt> chosen, int together) {
        return new ComparisonPlan(
                variants,
                chosen,
                maxTokens,
                stop,
                ignoreEndOfSequence,
                seed,
                warmup,
                repetitions,
                together,
                order,
                sharesPrompts);
    }

    /// Returns the request to one variant for one prompt.
    ///
    /// @param variant   one of the variants
    /// @param prompt index
    public DecodeRequest request(Variant variant, int prompt) {
        return prompts.get(prompt).request(maxTokens, variant.policy(), stop, ignoreEndOfSequence);
    }

    /// The randomness of one generation: no two of a comparison share any.
    ///
    /// @param variant       one of the variants
    /// @param prompt     index
    /// @param repetition from 0; below 0 while warming up
    public RandomnessSource randomness(Variant variant, int prompt, int repetition) {
        long number =
                ((long) repetition * prompts.size() + prompt) * variants.size()
                        + variants.indexOf(variant);
        return RandomnessSource.of(new KeyedRandomStreams(seed, number));
    }

    /// Returns prompts by their number, in the groups that are decoded together.
    List<List<Integer>> groups() {
        return IntStream.range(0, prompts.size() / batch)
                .mapToObj(group ->
                        IntStream.range(group * batch, (group + 1) * batch).boxed().toList())
                .toList();
    }

    /// Returns whether no prompts of different kinds are decoded together: then the times of a kind are its own.
    public boolean timesKindsApart() {
        return groups().stream()
                .allMatch(group ->
                        group.stream().map(prompt -> prompts.get(prompt).kind()).distinct().count()
                                == 1);
    }

    /// Measured generations if nothing fails.
    public int generations() {
        return variants.size() * prompts.size() * repetitions;
    }
}
