package dev.outrider.drafter.medusa;

import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.target.HiddenState;
import java.util.Set;

/// Loaded heads and the shape of their drafts. Thread-safe.
final class MedusaDrafter implements Drafter {
    private final MedusaConfig config;
    private final Heads heads;
    private final GuessTree tree;
    private final int hiddenSize;
    private final long parameters;
    private final String digest;

    /// @param heads      owned from now on
    /// @param parameters numbers in the heads that are used
    /// @param digest     of the checkpoint
    MedusaDrafter(
            MedusaConfig config, Heads heads, int hiddenSize, long parameters, String digest) {
        this.config = config;
        this.heads = heads;
        this.hiddenSize = hiddenSize;
        this.parameters = parameters;
        this.digest = digest;
        tree = GuessTree.of(config.plan());
    }

    @Override
    public DrafterTraits traits() {
        return config.traits();
    }

    @Override
    public Set<HiddenState> hiddenStates() {
        return Set.of(MedusaSession.LAST);
    }

    @Override
    public long parameters() {
        return parameters;
    }

    @Override
    public String digest() {
        return digest;
    }

    @Override
    public DraftSession open(DraftRequest request) {
        return new MedusaSession(heads, tree, hiddenSize);
    }

    @Override
    public void close() {
        heads.close();
    }
}
