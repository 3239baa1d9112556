package dev.outrider.sweep.spark;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.Function;

/// The task of one cell: starts `outrider run-cell` on the worker and waits for it.
///
/// A separate process keeps Spark's libraries and Java apart from Outrider's, and has the
/// launcher's environment. Its results go to the plan's folder, not through Spark.
final class CellProcess implements Function<Integer, CellEnd> {
    private static final long serialVersionUID = 1L;
    private static final int FINISHED = 0;
    private static final int CELLS_FAILED = 4;
    private static final int POLL_MILLIS = 200;
    private static final int PATIENCE_SECONDS = 40;
    private static final int MAX_LINES = 40;

    private final String launcher;
    private final String plan;
    private final ArrayList<String> options;

    /// @param launcher path of the script `outrider` on workers
    /// @param plan     path of `plan.json` on workers
    /// @param options  further options of `run-cell`
    CellProcess(String launcher, String plan, List<String> options) {
        this.launcher = launcher;
        this.plan = plan;
        this.options = new ArrayList<>(options);
    }

    @Override
    public CellEnd call(Integer index) throws IOException, InterruptedException {
        Process process = start(index);
        var stop = new Thread(process::destroy, "cell " + index);
        Runtime.getRuntime().addShutdownHook(stop);
        try {
            var lines = new Lines(process);
            lines.start();
            await(process);
            lines.join();
            return end(index, process.exitValue(), lines.text());
        } finally {
            stop(process);
            forget(stop);
        }
    }

    private Process start(int index) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                launcher,
                                "run-cell",
                                "--plan",
                                plan,
                                "--index",
                                Integer.toString(index),
                                "--wait"));
        command.addAll(options);
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    /// Spark kills a task by a flag that the task has to check, and by an interrupt where the job
    /// allows it.
    private static void await(Process process) throws InterruptedException {
        while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
            TaskContext task = TaskContext.get();
            if (task != null && task.isInterrupted()) {
                throw new InterruptedException("Spark has ended the task");
            }
        }
    }

    private static CellEnd end(int index, int exit, String said) throws IOException {
        if (exit != FINISHED && exit != CELLS_FAILED) {
            throw new IOException(
                    "cell %d: 'outrider run-cell' ended with %d on %s:%n%s"
                            .formatted(index, exit, worker(), said));
        }
        return new CellEnd(index, exit == CELLS_FAILED, worker(), said);
    }

    /// Asks the process to stop first: an interrupted cell releases its locks, and the next attempt
    /// need not wait for it.
    private static void stop(Process process) throws InterruptedException {
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The executor is ending, so the hook need not be removed.
        }
    }

    private static String worker() throws IOException {
        return "%s, executor %s"
                .formatted(InetAddress.getLocalHost().getHostName(), SparkEnv.get().executorId());
    }

    /// Reads the output of a process, so that it does not block, and keeps the end of it.
    private static final class Lines extends Thread {
        private final Process process;
        private final ArrayDeque<String> last = new ArrayDeque<>();

        Lines(Process process) {
            super("lines of a cell");
            this.process = process;
            setDaemon(true);
        }

        @Override
        public void run() {
            try (var reader =
                    new BufferedReader(
                            new InputStreamReader(
                                    process.getInputStream(), StandardCharsets.UTF_8))) {
                reader.lines().forEach(this::keep);
            } catch (IOException e) {
                keep("the output cannot be read: " + e);
            }
        }

        private synchronized void keep(String line) {
            if (last.size() == MAX_LINES) {
                last.removeFirst();
            }
            last.addLast(line);
        }

        synchronized String text() {
            return String.join("\n", last);
        }
    }
}
