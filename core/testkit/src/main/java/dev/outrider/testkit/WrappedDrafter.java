package dev.outrider.testkit;

import dev.outrider.engine.check.ForwardingDraftSession;
import dev.outrider.engine.check.ForwardingDrafter;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import java.util.function.UnaryOperator;

/// A drafter that wraps every session; subclasses may change more.
public class WrappedDrafter implements ForwardingDrafter {
    private final Drafter drafter;
    private final UnaryOperator<DraftSession> around;

    /// Wraps every session of a drafter.
    ///
    /// @param drafter the drafter
    /// @param around  wraps a session
    public WrappedDrafter(Drafter drafter, UnaryOperator<DraftSession> around) {
        this.drafter = drafter;
        this.around = around;
    }

    @Override
    public final Drafter drafter() {
        return drafter;
    }

    @Override
    public DraftSession open(DraftRequest request) {
        return around.apply(drafter.open(request));
    }

    /// A session that forwards all calls to another one; subclasses change a part.
    public static class Session implements ForwardingDraftSession {
        private final DraftSession session;

        /// Forwards all calls to a session.
        ///
        /// @param session the other session
        public Session(DraftSession session) {
            this.session = session;
        }

        @Override
        public final DraftSession session() {
            return session;
        }
    }
}
