package dev.outrider.treeverify.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.error.OutriderException;
import dev.outrider.treeverify.sdk.SdkRequirement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The errors on a machine whose drivers do not fit. Each runs in a separate process, because TornadoVM starts once per process.
@RequiresDevice
@EnabledOnOs(OS.LINUX)
class StartFailuresTest {
    @TempDir private Path empty;

    @BeforeAll
    static void openClAlone() {
        var backends = SdkRequirement.ofThisProcess().requireSdk().backends();
        Assumptions.assumeTrue(
                backends.equals(List.of("opencl")),
                () -> "drivers are hidden in OpenCL's way, and the SDK has " + backends);
    }

    @Test
    void saysThatThereIsNoDevice() throws IOException {
        // The OpenCL loader searches for drivers in this folder only.
        assertThat(devices(Map.of("OCL_ICD_VENDORS", empty.toString()), List.of()))
                .contains(
                        """
                        DEVICE_NOT_FOUND: TornadoVM's SDK is there, but its driver shows no device
                          Install the device's driver: NVIDIA's for a -cuda or -ptx SDK, an OpenCL ICD for an -opencl SDK; see docs/guide/gpu.md.\
                        """);
    }

    @Test
    void saysThatTheBackEndDoesNotFitTheMachine() throws IOException {
        assertThat(devices(Map.of(), List.of("-Djava.library.path=" + empty)))
                .contains(
                        "DEVICE_DRIVER_FAILED: TornadoVM does not start: [ERROR] OpenCL JNI Library not found\n"
                                + "  Check that the SDK's back end fits this machine's driver: ");
    }

    @Test
    void findsDevicesOtherwise() throws IOException {
        assertThat(devices(Map.of(), List.of())).contains("DeviceInfo[index=0");
    }

    private static String devices(Map<String, String> environment, List<String> options)
            throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(SdkRequirement.ofThisProcess().jvmOptions());
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(Lister.class.getName());
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        var process = builder.start();
        process.getOutputStream().close();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /// Prints the devices, or the reason why there are none.
    static final class Lister {
        private Lister() {}

        public static void main(String[] arguments) {
            try {
                System.out.println(Devices.all());
            } catch (OutriderException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
