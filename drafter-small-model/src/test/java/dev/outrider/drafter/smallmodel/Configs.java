package dev.outrider.drafter.smallmodel;

import dev.outrider.spi.TreePlan;
import java.nio.file.Path;
import java.util.Optional;

/// Configurations of test drafters.
final class Configs {
    private Configs() {}

    static SmallModelConfig of(Optional<Integer> length, Optional<TreePlan> tree) {
        return new SmallModelConfig(
                Path.of("models", "draft"), length, tree, Optional.empty(), 0, Optional.empty());
    }
}
