package dev.outrider.drafter.block;

import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.head.BackendKey;
import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Path;
import java.util.Optional;

/// Opens checkpoints in the same way as the two drafters.
final class Opened {
    private Opened() {}

    static BlockDrafter dflash(TargetModel target, Path path, TreePlan plan) {
        return dflash(target, path, Drafting.of(plan), BlockOverrides.NONE);
    }

    static BlockDrafter dflash(
            TargetModel target, Path path, Drafting drafting, BlockOverrides overrides) {
        var config =
                new DFlashConfig(
                        new HeadKeys(path, drafting, Optional.empty()),
                        BackendKey.VECTOR,
                        overrides);
        return (BlockDrafter) BlockPlugin.DFLASH.create(config, () -> target);
    }

    static BlockDrafter dspark(TargetModel target, Path path, TreePlan plan) {
        return dspark(target, path, Drafting.of(plan), 0, BlockOverrides.NONE);
    }

    static BlockDrafter dspark(
            TargetModel target,
            Path path,
            Drafting drafting,
            double threshold,
            BlockOverrides overrides) {
        var config =
                new DSparkConfig(
                        new HeadKeys(path, drafting, Optional.empty()),
                        BackendKey.VECTOR,
                        threshold,
                        overrides);
        return (BlockDrafter) BlockPlugin.DSPARK.create(config, () -> target);
    }
}
