package dev.outrider.drafter.eagle;

import dev.outrider.spi.TreePlan;
import java.nio.file.Path;
import java.util.Optional;

/// Configurations with everything but the head and the shape left as it is.
final class Configs {
    static final TreePlan CHAIN = new TreePlan.Chain(4);

    private Configs() {}

    static EagleConfig eagle(Path path, TreePlan plan) {
        return new EagleConfig(
                path,
                Optional.empty(),
                Optional.of(plan),
                Optional.empty(),
                0,
                Optional.empty(),
                false);
    }

    static Eagle3Config eagle3(Path path, TreePlan plan) {
        return new Eagle3Config(
                path,
                Optional.empty(),
                Optional.of(plan),
                Optional.empty(),
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
