package dev.outrider.drafter.lookup.recycle;

import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import java.util.concurrent.atomic.AtomicReference;

/// Opens sequences, each with a matrix of its own: empty, or a copy of what the sequence that closed last had learnt.
/// Sequences that run one after the other are thus repeatable as a whole; sequences side by side do not disturb each
/// other. Thread-safe.
final class TokenRecyclingDrafter implements Drafter {
    private final TokenRecyclingConfig config;
    private final RankTree ranks;
    private final AtomicReference<Successors> kept;

    TokenRecyclingDrafter(TokenRecyclingConfig config, int vocabulary) {
        this.config = config;
        this.ranks = config.rankTree();
        this.kept = new AtomicReference<>(new Successors(vocabulary));
    }

    @Override
    public DrafterTraits traits() {
        return config.traits();
    }

    @Override
    public DraftSession open(DraftRequest request) {
        return new TokenRecyclingSession(
                ranks,
                new Successors(kept.get()),
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
