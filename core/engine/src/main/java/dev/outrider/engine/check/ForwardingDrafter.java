package dev.outrider.engine.check;

import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.target.HiddenState;
import java.util.Set;

/// A drafter that forwards every call to another one. An implementation names the other drafter and overrides the calls to be
/// different. It owns the other drafter: closing it closes the other.
///
/// ```java
/// record ShortDrafter(Drafter drafter) implements ForwardingDrafter {
///     @Override
///     public DraftSession open(DraftRequest request) {
///         return new ShortSession(drafter.open(request));
///     }
/// }
/// ```
public interface ForwardingDrafter extends Drafter {
    /// {@return the drafter that does the work; always the same}
    Drafter drafter();

    @Override
    default DrafterTraits traits() {
        return drafter().traits();
    }

    @Override
    default Set<HiddenState> hiddenStates() {
        return drafter().hiddenStates();
    }

    @Override
    default long parameters() {
        return drafter().parameters();
    }

    @Override
    default String digest() {
        return drafter().digest();
    }

    @Override
    default DraftSession open(DraftRequest request) {
        return drafter().open(request);
    }

    @Override
    default void close() {
        drafter().close();
    }
}
