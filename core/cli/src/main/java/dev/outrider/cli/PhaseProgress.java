package dev.outrider.cli;

import java.util.Optional;

/// A progress bar for work in phases, each counted anew.
final class PhaseProgress implements AutoCloseable {
    private final Console console;
    private Optional<Progress> bar = Optional.empty();

    PhaseProgress(Console console) {
        this.console = console;
    }

    /// A step of a phase begins; the first of a phase has `done` 0.
    void at(String what, int done, int of) {
        if (done == 0) {
            close();
            bar = Optional.of(new Progress(console, "tree", of));
        }
        bar.ifPresent(each -> each.at(done, what));
    }

    @Override
    public void close() {
        bar.ifPresent(Progress::close);
        bar = Optional.empty();
    }
}
