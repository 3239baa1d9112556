package dev.outrider.drafter.smallmodel;

import dev.outrider.drafter.smallmodel.SmallModelConfig.VocabularyMode;
import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.head.BackendKey;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.testkit.ExactnessPairing;
import java.nio.file.Path;
import java.util.Optional;

/// Configurations of test drafters.
final class Configs {
    static final Path PATH = Path.of("models", "draft");

    private Configs() {}

    /// A drafter with its own tokenizer.
    static SmallModelConfig of(VocabularyMode vocabulary, TreePlan plan) {
        return of(PATH, vocabulary, plan);
    }

    static SmallModelConfig of(Path path, VocabularyMode vocabulary, TreePlan plan) {
        boolean chain = plan instanceof TreePlan.Chain;
        return of(
                path,
                vocabulary,
                new Drafting(
                        chain ? Optional.of(plan.maxDepth()) : Optional.empty(),
                        chain ? Optional.empty() : Optional.of(plan),
                        Optional.empty(),
                        0,
                        Optional.empty()));
    }

    static SmallModelConfig at(Path path, TreePlan plan) {
        return of(path, VocabularyMode.SAME, Drafting.of(plan));
    }

    static SmallModelConfig of(TreePlan plan) {
        return of(Drafting.of(plan));
    }

    static SmallModelConfig of(Drafting drafting) {
        return of(PATH, VocabularyMode.SAME, drafting);
    }

    static Drafting drafting(ExactnessPairing pairing) {
        return new Drafting(
                Optional.empty(),
                Optional.of(pairing.plan()),
                pairing.sampling().map(Drafting.Sampling::of),
                pairing.stopBelow(),
                Optional.empty());
    }

    private static SmallModelConfig of(Path path, VocabularyMode vocabulary, Drafting drafting) {
        return new SmallModelConfig(
                path, Optional.empty(), BackendKey.VECTOR, drafting, vocabulary);
    }
}
