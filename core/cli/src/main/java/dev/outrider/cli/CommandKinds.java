package dev.outrider.cli;

import dev.outrider.drafting.bench.DraftBench;
import dev.outrider.engine.plugins.ComponentKind;
import dev.outrider.training.TrainerFactory;

/// What plugins add to commands: names after `train` and `bench-draft`.
final class CommandKinds {
    static final ComponentKind<TrainerFactory<?>> TRAINER =
            ComponentKind.service("trainer", TrainerFactory.class);
    static final ComponentKind<DraftBench<?>> DRAFT_BENCH =
            ComponentKind.service("draft bench", DraftBench.class);

    private CommandKinds() {}
}
