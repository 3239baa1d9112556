package dev.outrider.cli;

import dev.outrider.spi.error.ErrorCode;

/// Exit codes of the process.
final class ExitCode {
    static final int OK = 0;
    static final int FAILURE = 1;
    static final int USAGE = 2;

    /// A verification refuted the promise.
    static final int REJECTED = 3;

    /// Some cells of a sweep failed; the others are finished.
    static final int CELLS_FAILED = 4;

    /// 128 + the number of the interrupt signal, as shells expect.
    static final int INTERRUPTED = 130;

    private ExitCode() {}

    static int of(ErrorCode code) {
        return switch (code.category()) {
            case CONFIGURATION -> USAGE;
            case MODEL, RUN, DEVICE, PLUGIN, FILE -> FAILURE;
        };
    }
}
