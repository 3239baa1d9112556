package dev.outrider.drafter.eagle;

import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.target.HiddenState;
import java.util.Set;

/// A drafter that runs EAGLE-3's layer once a round. Thread-safe; owns the network.
final class ParallelDrafter implements Drafter {
    private final ParallelDraft draft;
    private final long parameters;
    private final String digest;

    /// @param draft      what it runs
    /// @param parameters of its own
    /// @param digest     of its weights
    ParallelDrafter(ParallelDraft draft, long parameters, String digest) {
        this.draft = draft;
        this.parameters = parameters;
        this.digest = digest;
    }

    @Override
    public DrafterTraits traits() {
        return draft.drafting().traits(true);
    }

    @Override
    public Set<HiddenState> hiddenStates() {
        return Set.copyOf(draft.captured());
    }

    @Override
    public long parameters() {
        return parameters;
    }

    @Override
    public String digest() {
        return digest;
    }

    /// What it runs, for tests.
    ParallelDraft draft() {
        return draft;
    }

    @Override
    public DraftSession open(DraftRequest request) {
        return draft.open(request);
    }

    @Override
    public void close() {
        draft.network().close();
    }
}
