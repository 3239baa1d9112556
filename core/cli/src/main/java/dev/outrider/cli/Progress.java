package dev.outrider.cli;

import dev.outrider.common.PrintableText;
import dev.outrider.experiment.bench.BenchWatcher;
import dev.outrider.experiment.run.ComparisonPlan;
import dev.outrider.experiment.run.Prompt;
import dev.outrider.experiment.run.Variant;
import dev.outrider.hub.PullListener;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/// A progress bar on a terminal; nothing elsewhere, so that logs stay readable.
final class Progress implements AutoCloseable {
    private static final int WIDTH = 100;
    private static final int REFRESH_MILLIS = 250;

    /// Steps of a bar for one variant of a verification.
    private static final int STEPS = 1000;

    /// Shows the time alone.
    private static final int UNKNOWN = -1;

    private final Optional<ProgressBar> bar;

    Progress(Console console, String task, long steps) {
        bar =
                console.terminal()
                        ? Optional.of(
                                new ProgressBarBuilder()
                                        .setTaskName(PrintableText.of(task))
                                        .setInitialMax(steps)
                                        .setStyle(ProgressBarStyle.ASCII)
                                        .setUpdateIntervalMillis(REFRESH_MILLIS)
                                        .setMaxRenderedLength(WIDTH)
                                        .setConsumer(
                                                new ConsoleProgressBarConsumer(
                                                        coded(console), WIDTH))
                                        .clearDisplayOnFinish()
                                        .build())
                        : Optional.empty();
    }

    /// Returns a stream that keeps escape codes: [Console] replaces them in text.
    private static PrintStream coded(Console console) {
        return new PrintStream(console.err(), true, StandardCharsets.UTF_8);
    }

    /// One more step.
    void step(String message) {
        bar.ifPresent(each -> {
            each.step();
            each.setExtraMessage(PrintableText.of(message));
        });
    }

    /// So many steps in all.
    void at(long steps, String message) {
        bar.ifPresent(each -> {
            each.stepTo(steps);
            each.setExtraMessage(PrintableText.of(message));
        });
    }

    @Override
    public void close() {
        bar.ifPresent(ProgressBar::close);
    }

    /// A bar for work in phases; each phase has a bar of its own, which is counted from 0.
    static final class Phases implements BenchWatcher.Recording {
        private final Console console;
        private final String task;
        private Optional<Progress> bar = Optional.empty();

        Phases(Console console, String task) {
            this.console = console;
            this.task = task;
        }

        /// Begins a phase of so many steps.
        void begin(String named, long steps) {
            close();
            bar = Optional.of(new Progress(console, named, steps));
        }

        /// Shows so many steps of a phase in all; 0 begins the phase.
        @Override
        public void at(String what, int done, int of) {
            if (done == 0) {
                begin(task, of);
            }
            at(done, what);
        }

        /// Shows so many steps of the current phase in all.
        void at(long done, String what) {
            bar.ifPresent(each -> each.at(done, what));
        }

        /// Shows one more step of the current phase.
        void step(String what) {
            bar.ifPresent(each -> each.step(what));
        }

        @Override
        public void close() {
            bar.ifPresent(Progress::close);
            bar = Optional.empty();
        }
    }

    /// A bar for each stage of an experiment.
    record Stages(Console console) implements BenchWatcher {
        @Override
        public Comparing comparing(ComparisonPlan plan) {
            int warmUp = plan.warmup() * plan.variants().size() * plan.batch();
            var bar = new Progress(console, "comparing", plan.generations() + warmUp);
            return new Comparing() {
                @Override
                public void starting(Variant variant, Prompt prompt, boolean warmup) {
                    bar.step((warmup ? "warming up " : "") + variant.name() + ", " + prompt.id());
                }

                @Override
                public void close() {
                    bar.close();
                }
            };
        }

        @Override
        public Loading loading() {
            return new Progress(console, "loading", UNKNOWN)::close;
        }

        @Override
        public Recording recording() {
            return new Phases(console, "recording");
        }

        @Override
        public Verifying verifying(List<Variant> variants) {
            var bar = new Progress(console, "verifying", (long) STEPS * variants.size());
            return new Verifying() {
                @Override
                public void at(Variant variant, double share) {
                    bar.at(Math.round(STEPS * (variants.indexOf(variant) + share)), variant.name());
                }

                @Override
                public void close() {
                    bar.close();
                }
            };
        }
    }

    /// The megabytes of a model that were fetched.
    static final class Pulling implements PullListener, AutoCloseable {
        private static final int MEGABYTE = 1_000_000;

        private final Console console;
        private final Phases bar;
        private long total = -1;

        Pulling(Console console) {
            this.console = console;
            bar = new Phases(console, "fetching (MB)");
        }

        @Override
        public void at(String file, long done, long of) {
            if (of != total) {
                total = of;
                bar.begin("fetching (MB)", of / MEGABYTE);
            }
            bar.at(done / MEGABYTE, file);
        }

        @Override
        public void waiting(String file) {
            console.err().printf("Another process is fetching %s; waiting for it.%n", file);
        }

        @Override
        public void close() {
            bar.close();
        }
    }
}
