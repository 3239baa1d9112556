package dev.outrider.drafting;

import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import java.util.function.Function;

/// A drafter without weights: all its state is in its sessions. Thread-safe.
///
/// @param traits   traits of its drafts
/// @param sessions opens a session
public record StatelessDrafter(DrafterTraits traits, Function<DraftRequest, DraftSession> sessions)
        implements Drafter {
    @Override
    public DraftSession open(DraftRequest request) {
        return sessions.apply(request);
    }

    @Override
    public void close() {}
}
