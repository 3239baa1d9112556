package dev.outrider.engine.check;

import dev.outrider.spi.draft.Drafter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Closes a drafter. A failure is logged and not thrown, so that the objects closed after the drafter are closed in any case.
///
/// @param drafter closed once [#run()] is called
public record GuardedClose(Drafter drafter) implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedClose.class);

    @Override
    public void run() {
        GuardedCalls.of(drafter, OnFailure.PLAIN, failed -> LOG.warn("{}", failed.problem()))
                .call(
                        0,
                        "close",
                        () -> {
                            drafter.close();
                            return true;
                        },
                        () -> {});
    }
}
