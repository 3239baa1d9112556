package dev.outrider.drafter.eagle;

import dev.outrider.drafter.eagle.LayoutOverrides.LayerOverrides;
import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.head.BackendKey;
import dev.outrider.drafting.head.DraftBackend;
import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.spi.draft.TreePlan;
import java.nio.file.Path;
import java.util.Optional;

/// Configurations that set the head and the shape; the other keys have their defaults.
final class Configs {
    private static final BackendKey ENGINE = new BackendKey(DraftBackend.VECTOR);

    static final TreePlan CHAIN = new TreePlan.Chain(4);

    private Configs() {}

    static EagleConfig eagle(Path path, TreePlan plan) {
        return eagle(path, Drafting.of(plan));
    }

    static EagleConfig eagle(Path path, Drafting drafting) {
        return new EagleConfig(new HeadKeys(path, drafting, Optional.empty()), ENGINE, false);
    }

    static Eagle3Config eagle3(Path path, TreePlan plan) {
        return eagle3(path, Drafting.of(plan));
    }

    static PEagleConfig peagle(Path path, TreePlan plan) {
        return new PEagleConfig(
                new HeadKeys(path, Drafting.of(plan), Optional.empty()),
                ENGINE,
                LayerOverrides.NONE,
                Optional.empty());
    }

    static Eagle3Config eagle3(Path path, Drafting drafting) {
        return new Eagle3Config(
                new HeadKeys(path, drafting, Optional.empty()), ENGINE, LayoutOverrides.NONE);
    }
}
