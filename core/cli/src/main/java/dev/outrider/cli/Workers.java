package dev.outrider.cli;

import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Processes like this one that run a plan's cells side by side: each takes the next cell that nobody has.
final class Workers {
    private static final int POLL_MILLIS = 200;

    private final Path plan;
    private final List<String> options;
    private final Consumer<String> lines;
    private final BooleanSupplier cancelled;

    /// @param plan      `plan.json`
    /// @param options   further options of `run-cell`
    /// @param lines     told every line a worker prints
    /// @param cancelled once it is true the workers are asked to stop
    Workers(Path plan, List<String> options, Consumer<String> lines, BooleanSupplier cancelled) {
        this.plan = plan;
        this.options = options;
        this.lines = lines;
        this.cancelled = cancelled;
    }

    /// Run until every worker has ended.
    ///
    /// @throws OutriderException IO_FAILED if a process cannot be started
    void run(int count) {
        List<Process> processes = new ArrayList<>();
        List<Thread> readers = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                Process process = start();
                processes.add(process);
                readers.add(Thread.ofVirtual().start(() -> relay(process)));
            }
            for (Process process : processes) {
                await(process, processes);
            }
            for (Thread reader : readers) {
                reader.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            processes.forEach(Process::destroy);
        }
    }

    private void await(Process process, List<Process> all) throws InterruptedException {
        while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
            if (cancelled.getAsBoolean()) {
                all.forEach(Process::destroy);
            }
        }
    }

    private Process start() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of("run-cell", "--plan", plan.toString()));
        command.addAll(options);
        try {
            return new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new OutriderException(
                    ErrorCode.IO_FAILED,
                    "a worker process cannot be started: " + e,
                    "Run with --workers 1.",
                    e);
        }
    }

    private void relay(Process process) {
        try (var reader =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            reader.lines().forEach(lines);
        } catch (IOException e) {
            lines.accept("a worker's output cannot be read: " + e);
        }
    }
}
