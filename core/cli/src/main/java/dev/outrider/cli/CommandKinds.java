package dev.outrider.cli;

import dev.outrider.drafting.bench.DraftBench;
import dev.outrider.drafting.export.HeadExport;
import dev.outrider.engine.plugins.ComponentKind;
import dev.outrider.training.TrainerFactory;
import java.util.List;

/// What plugins add to commands: names after `train`, `bench-draft` and `export`.
final class CommandKinds {
    static final ComponentKind<TrainerFactory<?>> TRAINER =
            ComponentKind.service("trainer", TrainerFactory.class);
    static final ComponentKind<DraftBench<?>> DRAFT_BENCH =
            ComponentKind.service("draft bench", DraftBench.class);

    static final ComponentKind<HeadExport<?>> HEAD_EXPORT =
            ComponentKind.service("head export", HeadExport.class);

    private CommandKinds() {}

    /// All of them, in the order of lists.
    static List<ComponentKind<?>> all() {
        return List.of(TRAINER, DRAFT_BENCH, HEAD_EXPORT);
    }
}
