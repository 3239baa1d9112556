package dev.outrider.cli;

import java.util.Optional;

/// A progress bar for work in phases, each counted anew.
final class PhaseProgress implements AutoCloseable {
    private final Console console;
    private final String task;
    private Optional<Progress> bar = Optional.empty();

    PhaseProgress(Console console, String task) {
        this.console = console;
        this.task = task;
    }

    /// A step of a phase begins; the first of a phase has `done` 0.
    void at(String what, int done, int of) {
        if (done == 0) {
            close();
            bar = Optional.of(new Progress(console, task, of));
        }
        bar.ifPresent(each -> each.at(done, what));
    }

    @Override
    public void close() {
        bar.ifPresent(Progress::close);
        bar = Optional.empty();
    }
}
