package dev.outrider.drafter.smallmodel;

import dev.outrider.nn.runtime.ElementType;
import dev.outrider.spi.TreePlan;
import java.nio.file.Path;
import java.util.Optional;

/// Configurations of test drafters.
final class Configs {
    static final Path PATH = Path.of("models", "draft");

    private Configs() {}

    /// A drafter with a tokenizer of its own.
    static SmallModelConfig of(VocabularyMode vocabulary, TreePlan plan) {
        return of(PATH, vocabulary, plan);
    }

    static SmallModelConfig of(Path path, VocabularyMode vocabulary, TreePlan plan) {
        boolean chain = plan instanceof TreePlan.Chain;
        return new SmallModelConfig(
                path,
                ElementType.F32,
                SmallModelConfig.Backend.DJL,
                chain ? Optional.of(plan.maxDepth()) : Optional.empty(),
                chain ? Optional.empty() : Optional.of(plan),
                Optional.empty(),
                0,
                Optional.empty(),
                vocabulary);
    }

    static SmallModelConfig of(Optional<Integer> length, Optional<TreePlan> tree) {
        return of(length, tree, Optional.empty(), 0, Optional.empty());
    }

    static SmallModelConfig of(TreePlan plan, Optional<SmallModelConfig.DraftSampling> sampling) {
        return of(Optional.empty(), Optional.of(plan), sampling, 0, Optional.empty());
    }

    static SmallModelConfig of(
            Optional<Integer> length,
            Optional<TreePlan> tree,
            Optional<SmallModelConfig.DraftSampling> sampling,
            double confidence,
            Optional<SmallModelConfig.EntropyStop> entropy) {
        return new SmallModelConfig(
                PATH,
                ElementType.F32,
                SmallModelConfig.Backend.DJL,
                length,
                tree,
                sampling,
                confidence,
                entropy,
                VocabularyMode.SAME);
    }
}
