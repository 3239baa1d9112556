package dev.outrider.experiment.config;

import dev.outrider.common.Require;
import dev.outrider.common.sampling.SamplingOperators;
import dev.outrider.config.Component;
import dev.outrider.engine.check.OnFailure;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.spi.run.RunListener;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.LogitsProcessor;
import dev.outrider.spi.target.TargetModel;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// An experiment: plain decoding against one or more variants on the same prompts. `generate` and `serve` read it too.
public record ExperimentConfig(
        @Doc("Name of the experiment and of its folder under results/.") String name,
        @Default("''") @Doc("What the experiment is to find out, or the paper it follows.")
                String question,
        @Doc("The model whose distribution the output follows.")
                Component<TargetModel.Factory<?>> target,
        @Default("{}") @Doc("How tokens are chosen, for plain decoding and every variant.")
                SamplingPolicy sampling,
        @Default("[]")
                @Doc(
                        "What is done to the target's logits before sampling, in order, for plain decoding and every variant: the target's distribution is that of the processed logits.")
                List<Component<LogitsProcessor.Factory<?>>> processors,
        @Doc(
                        "What else is part of the target's distribution, after `processors` and together with `sampling`.")
                Optional<SamplingOperators> operators,
        @Default("{texts: []}") @Doc("What to continue.") PromptSource prompts,
        @Inline Ending ending,
        @Inline Protocol protocol,
        @Default("[]")
                @Doc(
                        "What follows every measured sequence of a bench or of a sweep's cell and may write into the folder of results.")
                List<Component<RunListener.Factory<?>>> listeners,
        @Default("[]") @Doc("What is compared with plain decoding.") List<VariantConfig> variants,
        @Doc("How `serve` serves the target and the variants; nothing else reads it.")
                Optional<ServeSettings> serve) {

    public ExperimentConfig {
        processors = List.copyOf(processors);
        listeners = List.copyOf(listeners);
        variants = List.copyOf(variants);
        Require.that(
                name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,99}"),
                "name '%s' must be 1 to 100 letters, digits, '.', '_' or '-', the first a letter or digit",
                name);
        operators.ifPresent(SamplingOperators::requireOrder);
        requireDistinctNames(variants);
    }

    /// The end of a generation.
    public record Ending(
            @Default("128") @Doc("Most tokens a generation emits.") int maxTokens,
            @Default("[]") @Doc("Texts that end a generation; not part of its text.")
                    List<String> stop,
            @Default("false")
                    @Doc("Go on after an end-of-sequence token, for runs of fixed length.")
                    boolean ignoreEndOfSequence) {
        public Ending {
            stop = List.copyOf(stop);
            Require.atLeast("maxTokens", maxTokens, 1);
            Require.that(!stop.contains(""), "stop must not contain the empty text");
        }
    }

    /// The way in which variants are measured and tested.
    public record Protocol(
            @Default("0") @Doc("Seed of every random decision.") long seed,
            @Default("1")
                    @Doc(
                            "Generations of each variant before measuring, thrown away; each ends a second after its first round.")
                    int warmup,
            @Default("3") @Doc("Times every prompt is measured on each variant.") int repetitions,
            @Default("1") @Doc("Threads the tensor engine may use.") int threads,
            @Default("1")
                    @Doc(
                            "Prompts decoded together, every round one pass of the target; prompts beyond a multiple of it are left out.")
                    int batch,
            @Default("rotating")
                    @Doc("Which variant goes first: rotating with every prompt, or random by seed.")
                    Order order,
            @Default("shared")
                    @Doc(
                            "Who reads a prompt: shared, the target once for all variants and repetitions, where it can share, keeping at most 1 GiB; each, every variant for itself. The time of reading is part of every variant's times in both.")
                    Prefill prefill,
            @Default("false")
                    @Doc("Run combinations whose output is not the target's, labelled as such.")
                    boolean allowLossy,
            @Default("3")
                    @Doc(
                            "Seconds for each variant that samples, to test that its output follows the target's distribution; 0 tests nothing.")
                    int exactnessTestSeconds,
            @Default("stop")
                    @Doc(
                            "When a drafter or a rule fails: stop ends the generation, plain goes on without drafts.")
                    OnFailure onDrafterFailure,
            @Doc(
                            "After the measurement, write the log probabilities of every token of prompt and text, and of so many of the most probable at each place, into logprobs.jsonl; the target reads every text once more for it.")
                    Optional<Integer> logprobs) {
        public Protocol {
            Require.atLeast("warmup", warmup, 0);
            Require.atLeast("repetitions", repetitions, 1);
            Require.atLeast("threads", threads, 1);
            Require.atLeast("batch", batch, 1);
            Require.atLeast("exactnessTestSeconds", exactnessTestSeconds, 0);
            logprobs.ifPresent(most -> Require.atLeast("logprobs", most, 0));
        }
    }

    public int maxTokens() {
        return ending.maxTokens();
    }

    public List<String> stop() {
        return ending.stop();
    }

    public boolean ignoreEndOfSequence() {
        return ending.ignoreEndOfSequence();
    }

    public long seed() {
        return protocol.seed();
    }

    public int threads() {
        return protocol.threads();
    }

    public int batch() {
        return protocol.batch();
    }

    /// The same experiment with other variants.
    public ExperimentConfig withVariants(List<VariantConfig> others) {
        return with(prompts, others);
    }

    /// The same experiment with other prompts.
    public ExperimentConfig withPrompts(PromptSource others) {
        return with(others, variants);
    }

    private ExperimentConfig with(PromptSource otherPrompts, List<VariantConfig> otherVariants) {
        return new ExperimentConfig(
                name,
                question,
                target,
                sampling,
                processors,
                operators,
                otherPrompts,
                ending,
                protocol,
                listeners,
                otherVariants,
                serve);
    }

    private static void requireDistinctNames(List<VariantConfig> variants) {
        Set<String> seen = new HashSet<>();
        for (VariantConfig variant : variants) {
            Require.that(
                    seen.add(variant.name()), "variants has two of the name '%s'", variant.name());
        }
    }

    /// The owner of the prefill.
    public enum Prefill {
        /// The target reads it once, and every variant continues with copies of the rows.
        SHARED,
        /// Every variant reads it for itself.
        EACH
    }

    /// The variant of a comparison that goes first on a prompt.
    public enum Order {
        /// The first variant moves by one with every prompt and repetition.
        ROTATING,
        /// A random order for every prompt and repetition, from the seed.
        RANDOM
    }
}
