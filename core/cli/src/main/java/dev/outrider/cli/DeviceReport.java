package dev.outrider.cli;

import dev.outrider.spi.error.OutriderException;
import dev.outrider.treeverify.DeviceBackend;
import dev.outrider.treeverify.sdk.SdkRequirement;
import dev.outrider.treeverify.sdk.SdkRequirement.TornadoSdk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// What the doctor says about TornadoVM. Kernels are tested in a process of their own, because a driver that does not
/// fit ends the process it is loaded into.
///
/// @param sdk     the SDK, or what is missing
/// @param lines   what `outrider kernels` printed there
/// @param healthy whether what is installed works
record DeviceReport(String sdk, List<String> lines, boolean healthy) {
    private static final int SECONDS = 240;

    static DeviceReport of(Checkout checkout) {
        try {
            var requirement = SdkRequirement.ofThisProcess();
            var sdk = requirement.requireSdk();
            if (!SdkRequirement.built(DeviceBackend.class)) {
                return quiet(
                        describe(sdk)
                                + "; this build has no device code, because it was built without "
                                + TornadoSdk.VARIABLE);
            }
            return tested(checkout, describe(sdk), requirement.jvmOptions());
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

    private static DeviceReport tested(Checkout checkout, String sdk, List<String> options) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-Dguice_bytecode_gen_option=DISABLED");
        command.add("-Doutrider.root=" + checkout.root());
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
                    output, "the test of the kernels did not end within %d s".formatted(SECONDS));
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        return ExitCode.FAILURE;
    }
}
