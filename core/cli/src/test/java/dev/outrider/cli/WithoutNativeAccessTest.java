package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A process that may not call native code multiplies in Java, and says what does not start.
class WithoutNativeAccessTest {
    private static final String DENIED = ".*: Illegal native access .*\n.*--enable-native-access=";

    @Test
    void theDoctorSaysWhatDoesNotStart() throws IOException, InterruptedException {
        assertThat(said(ExitCode.FAILURE, "doctor"))
                .contains("\nfloats        Java's vector code\nintegers      Java's vector code\n")
                .containsPattern("\ntensor engine BACKEND_UNAVAILABLE" + DENIED)
                .contains("\nadvice        repair what fails above\n");
    }

    @Test
    void theTokenizerIsNotBlamed() throws IOException, InterruptedException {
        var model = Shipped.ROOT.resolve("models/tiny-target").toString();

        assertThat(said(ExitCode.FAILURE, "generate", "--model", model, "--prompt", "a"))
                .containsPattern("BACKEND_UNAVAILABLE: the native tokenizers library" + DENIED);
    }

    @Test
    void passesRun() throws IOException, InterruptedException {
        assertThat(
                        said(
                                ExitCode.OK,
                                "bench-model",
                                "--shape=stories260k",
                                "--rows=1",
                                "--turns=1",
                                "--repeats=1"))
                .contains("floats by Java's vector code");
    }

    private static String said(int code, String... arguments)
            throws IOException, InterruptedException {
        var command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--illegal-native-access=deny",
                                "--add-modules=jdk.incubator.vector",
                                "-Doutrider.root=" + Shipped.ROOT,
                                "-cp",
                                System.getProperty("java.class.path"),
                                Main.class.getName()));
        command.addAll(List.of(arguments));
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isEqualTo(code);
        return said;
    }
}
