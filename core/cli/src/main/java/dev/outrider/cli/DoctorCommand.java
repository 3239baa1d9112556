package dev.outrider.cli;

import dev.outrider.engine.plugins.ComponentKind;
import dev.outrider.nn.vector.VectorMachine;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.treeverify.DeviceCode;
import dev.outrider.treeverify.sdk.SdkRequirement;
import dev.outrider.treeverify.sdk.SdkRequirement.TornadoSdk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The command `outrider doctor`: reports what this machine has and what is missing; or checks whether a drafter is read correctly.
@Command(name = "doctor")
final class DoctorCommand extends Subcommand {
    private static final int LABEL = 14;

    private boolean healthy = true;

    @Option(names = "--head", paramLabel = "PATH")
    private Optional<String> head = Optional.empty();

    @Option(names = "--target", paramLabel = "MODEL")
    private Optional<String> target = Optional.empty();

    @Option(names = "--drafter", paramLabel = "NAME")
    private Optional<String> drafter = Optional.empty();

    @Option(names = "--prompts", paramLabel = "FILE")
    private Optional<Path> prompts = Optional.empty();

    @Option(names = "--set", paramLabel = "KEY=VALUE")
    private List<String> set = List.of();

    @Override
    public Integer call() {
        boolean paired = head.isPresent() == target.isPresent();
        require(paired, "--head", head.orElse("not given"), "together with --target");
        return head.isPresent() ? checkHead(head.get(), target.orElseThrow()) : machine();
    }

    private int checkHead(String path, String model) {
        var facts = new DrafterFacts(context());
        drafter.ifPresent(name -> requireOneOf("--drafter", name, facts.kinds().keySet()));
        var from =
                prompts.orElseGet(() -> context().root().resolve("configs/prompts/held-out.jsonl"));
        return new HeadCheck(context(), facts).run(path, model, drafter, from, set);
    }

    private int machine() {
        say("outrider", CommandContext.version() + ", in " + context().root());
        say("java", Machine.jvm());
        say("system", Machine.system());
        say("processor", processor());
        say("memory", memory());
        say("openmp", openMp());
        say("vectors", VectorMachine.name());
        say("floats", VectorMachine.available() ? VectorMachine.floats() : "none");
        say("integers", VectorMachine.available() ? VectorMachine.integers() : "none");
        say("tensor engine", engine());
        device();
        for (ComponentKind<?> kind : ComponentKind.all()) {
            say(kind.label() + "s", names(context().plugins().all(kind).names()));
        }
        say("models", models());
        boolean integers = VectorMachine.kernels();
        int threads = Runtime.getRuntime().availableProcessors();
        say("advice", advice(VectorMachine.name(), threads, integers, healthy));
        return healthy ? ExitCode.OK : ExitCode.FAILURE;
    }

    /// Returns advice: the missing part that costs most speed, or the next step. Times are those of docs/results/performance.md.
    ///
    /// @param vectors  as [VectorMachine#name]
    /// @param integers whether machine code multiplies them
    static String advice(String vectors, int threads, boolean integers, boolean healthy) {
        if (vectors.equals("none")) {
            return "start Java with --add-modules jdk.incubator.vector: without it the back end 'vector' does not run";
        }
        if (!healthy) {
            return "repair what fails above";
        }
        if (vectors.equals("128 bits") && "amd64".equals(System.getProperty("os.arch"))) {
            return "the processor has no AVX2, or Java was told not to use it: a processor with AVX2 or AVX-512 multiplies more numbers at once";
        }
        if (threads == 1) {
            return "Java sees one thread: let it use more processors; tune, bench and generate use up to 4";
        }
        return integers
                ? "nothing is missing; next: outrider tune --target models/demo-target --prompts configs/prompts/held-out.jsonl"
                : "Java multiplies integers; machine code takes half the time for files in few bits, on Linux and x86-64 with AVX2";
    }

    private void say(String label, String text) {
        out().println((label + " ".repeat(LABEL)).substring(0, LABEL) + text);
    }

    private static String processor() {
        var sets = Machine.instructionSets();
        return "%s, %d threads%s"
                .formatted(
                        Machine.processor(),
                        Runtime.getRuntime().availableProcessors(),
                        sets.isEmpty() ? "" : ", " + String.join(" ", sets));
    }

    private static String memory() {
        return "%.1f GiB, Java heap up to %.1f GiB"
                .formatted(
                        Machine.memoryBytes() / (double) (1L << 30),
                        Runtime.getRuntime().maxMemory() / (double) (1L << 30));
    }

    private static String openMp() {
        return "GOMP_SPINCOUNT=%s OMP_PROC_BIND=%s OMP_NUM_THREADS=%s"
                .formatted(
                        variable("GOMP_SPINCOUNT"),
                        variable("OMP_PROC_BIND"),
                        variable("OMP_NUM_THREADS"));
    }

    private static String variable(String name) {
        return System.getenv().getOrDefault(name, "(not set)");
    }

    private String engine() {
        try {
            var info = TensorRuntime.info();
            return "%s, %d threads".formatted(info.name(), info.threads());
        } catch (OutriderException e) {
            healthy = false;
            return String.valueOf(e.getMessage());
        }
    }

    /// Reports the device. A missing device is no failure; kernels that fail on a present device are.
    private void device() {
        var report = DeviceReport.of(context().root());
        say("tornadovm", report.sdk());
        report.lines().forEach(line -> say("", line));
        healthy &= report.healthy();
    }

    private static String names(SortedSet<String> names) {
        return names.isEmpty() ? "none" : String.join(", ", names);
    }

    private String models() {
        var folder = context().root().resolve("models");
        if (!Files.isDirectory(folder)) {
            return "none: there is no folder " + folder;
        }
        try (Stream<Path> files = Files.walk(folder, 3)) {
            List<String> found =
                    files.filter(file -> file.endsWith("config.json"))
                            .map(file -> folder.relativize(file.resolveSibling("")).toString())
                            .sorted()
                            .toList();
            return found.isEmpty() ? "none in " + folder : String.join(", ", found);
        } catch (IOException e) {
            return "cannot read %s: %s".formatted(folder, e);
        }
    }

    /// The report about TornadoVM. Kernels are tested in a separate process, because a driver that does not fit ends the process
    /// that loads it.
    ///
    /// @param sdk     the SDK, or the missing part
    /// @param lines   output of `outrider kernels` in that process
    /// @param healthy whether the installed parts work
    record DeviceReport(String sdk, List<String> lines, boolean healthy) {
        private static final int SECONDS = 240;

        static DeviceReport of(Path root) {
            try {
                var requirement = SdkRequirement.ofThisProcess();
                var sdk = requirement.requireSdk();
                if (!SdkRequirement.built(DeviceCode.class)) {
                    return quiet(
                            describe(sdk)
                                    + "; this build has no device code, because it was built without "
                                    + TornadoSdk.VARIABLE);
                }
                return tested(root, describe(sdk), requirement.jvmOptions());
            } catch (OutriderException e) {
                return quiet("not used: " + e.problem());
            }
        }

        private static String describe(TornadoSdk sdk) {
            return "%s with %s, in %s"
                    .formatted(sdk.version(), String.join(" ", sdk.backends()), sdk.home());
        }

        private static DeviceReport quiet(String sdk) {
            return new DeviceReport(sdk, List.of(), true);
        }

        private static DeviceReport tested(Path root, String sdk, List<String> options) {
            var command = new ArrayList<String>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(options);
            command.add("--enable-native-access=ALL-UNNAMED");
            command.add("--add-modules=jdk.incubator.vector");
            command.add("-Doutrider.root=" + root);
            command.addAll(List.of("-cp", System.getProperty("java.class.path")));
            command.addAll(List.of(Main.class.getName(), "kernels"));
            try {
                var printed = Files.createTempFile("outrider-kernels", ".txt");
                try {
                    int code = run(command, printed);
                    var lines =
                            Files.readString(printed, StandardCharsets.UTF_8)
                                    .lines()
                                    .filter(line -> !line.startsWith("WARNING: Using incubator"))
                                    .toList();
                    return new DeviceReport(sdk, lines, code == ExitCode.OK);
                } finally {
                    Files.delete(printed);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static int run(List<String> command, Path output) throws IOException {
            var process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(output.toFile())
                            .start();
            try {
                if (process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                    return process.exitValue();
                }
                process.destroyForcibly();
                Files.writeString(
                        output,
                        "the test of the kernels did not end within %d s".formatted(SECONDS));
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
            return ExitCode.FAILURE;
        }
    }
}
