package dev.outrider.drafter.lookup.rank;

import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import java.util.concurrent.atomic.AtomicReference;

/// Opens sequences, each with a store of its own: empty, or a copy of what the sequence that closed last had learnt.
/// Sequences that run one after the other are thus repeatable as a whole; sequences side by side do not disturb each
/// other. Thread-safe.
public final class RankDrafter implements Drafter {
    private final DrafterTraits traits;
    private final RankedDrafting config;
    private final RankTree ranks;
    private final AtomicReference<SuccessorStore> kept;

    /// @param traits what its drafts look like
    /// @param empty  a store that knows nothing and that nobody else uses
    public RankDrafter(DrafterTraits traits, RankedDrafting config, SuccessorStore empty) {
        this.traits = traits;
        this.config = config;
        this.ranks = config.rankTree();
        this.kept = new AtomicReference<>(empty);
    }

    @Override
    public DrafterTraits traits() {
        return traits;
    }

    @Override
    public DraftSession open(DraftRequest request) {
        return new RankSession(
                ranks,
                kept.get().copy(),
                request.source(),
                config.seedFromPrompt(),
                learnt -> {
                    if (config.keepAcrossSequences()) {
                        kept.set(learnt);
                    }
                });
    }

    @Override
    public void close() {}
}
