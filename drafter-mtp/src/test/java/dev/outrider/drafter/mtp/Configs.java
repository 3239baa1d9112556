package dev.outrider.drafter.mtp;

import dev.outrider.drafter.mtp.MtpConfig.Recycle;
import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.head.BackendKey;
import dev.outrider.drafting.head.DraftBackend;
import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.nn.network.Precision;
import dev.outrider.spi.draft.TreePlan;
import java.nio.file.Path;
import java.util.Optional;

/// Configurations of drafters with modules for the tests' target.
final class Configs {
    private Configs() {}

    static MtpConfig drafter(Path path) {
        return drafter(path, new TreePlan.Chain(3), Optional.empty());
    }

    static MtpConfig drafter(Path path, TreePlan plan, Optional<Recycle> recycle) {
        return drafter(path, Drafting.of(plan), recycle);
    }

    static MtpConfig drafter(Path path, Drafting drafting, Optional<Recycle> recycle) {
        return new MtpConfig(
                new HeadKeys(path, drafting, Optional.of(Precision.F32)),
                new BackendKey(DraftBackend.VECTOR),
                Optional.empty(),
                Optional.empty(),
                recycle,
                Optional.empty());
    }
}
