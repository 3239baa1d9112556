package dev.outrider.treeverify.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.treeverify.sdk.SdkRequirement.TornadoSdk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SdkRequirementTest {
    @TempDir private Path folder;

    /// A service without an implementation.
    interface Nothing {}

    @Test
    void theVersionComesFromTheBuild() {
        assertThat(TornadoSdk.expectedVersion()).matches("\\d+\\.\\d+\\.\\d+-jdk25");
    }

    @Test
    void readsVersionAndBackEndsOfAnSdk() throws IOException {
        var home = sdk("5.2.0-jdk25", "opencl-backend,ptx-backend");

        assertThat(TornadoSdk.find(Map.of("TORNADOVM_HOME", home.toString()), folder))
                .contains(new TornadoSdk(home, "5.2.0-jdk25", List.of("opencl", "ptx")));
    }

    @Test
    void theVariableGoesBeforeTheStandardPlace() throws IOException {
        var standard = folder.resolve("user/.sdkman/candidates/tornadovm/current");
        write(standard, "1.0.0-jdk21", "ptx-backend");
        var named = sdk("5.2.0-jdk25", "opencl-backend");
        var user = folder.resolve("user");

        assertThat(TornadoSdk.find(Map.of(), user).orElseThrow().home()).isEqualTo(standard);
        assertThat(TornadoSdk.find(Map.of("TORNADOVM_HOME", " "), user).orElseThrow().home())
                .isEqualTo(standard);
        assertThat(
                        TornadoSdk.find(Map.of("TORNADOVM_HOME", named.toString()), user)
                                .orElseThrow()
                                .home())
                .isEqualTo(named);
        assertThat(TornadoSdk.find(Map.of(), folder)).isEmpty();
    }

    @Test
    void makesOptionsOfTheSdksTemplate() throws IOException {
        var home = sdk(TornadoSdk.expectedVersion(), "opencl-backend");
        Files.writeString(
                home.resolve("tornado-argfile.template"),
                """
                # === JVM ===
                -XX:+EnableJVMCI
                --enable-preview
                -XX:+UseParallelGC

                --module-path .:${TORNADOVM_HOME}/share/java/tornado
                --add-exports=a/b=c
                """);
        var requirement = new SdkRequirement(Optional.of(TornadoSdk.read(home)), name -> "");

        assertThat(requirement.jvmOptions())
                .containsExactly(
                        "-XX:+EnableJVMCI",
                        "--module-path",
                        home + "/share/java/tornado",
                        "--add-exports=a/b=c",
                        "-Dtornado.recover.bailout=False",
                        "-Dtornado.max.events=64",
                        "-Dtornado.tvm.maxbytecodesize=65536");
    }

    @Test
    void saysThatThereAreNoOptions() throws IOException {
        var sdk = TornadoSdk.read(sdk(TornadoSdk.expectedVersion(), "opencl-backend"));

        assertThatThrownBy(sdk::jvmOptions)
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining("there is neither tornado-argfile nor its template");
    }

    @Test
    void saysThatAFolderIsNoSdk() {
        assertThatThrownBy(
                        () -> TornadoSdk.find(Map.of("TORNADOVM_HOME", folder.toString()), folder))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        """
                        DEVICE_SDK_MISSING: the folder %s holds no TornadoVM SDK: etc/tornado.release cannot be read
                          Install one with 'sdk install tornadovm %s-opencl' (or -cuda, -ptx), or correct TORNADOVM_HOME; see docs/guide/gpu.md.\
                        """
                                .formatted(folder, TornadoSdk.expectedVersion()));
    }

    @Test
    void saysWhatToInstallWhereThereIsNoSdk() {
        assertThat(failure(Optional.empty(), Map.of()))
                .isEqualTo(
                        """
                        DEVICE_SDK_MISSING: target 'tornado' needs TornadoVM %1$s, and there is none: TORNADOVM_HOME is not set and ~/.sdkman/candidates/tornadovm/current does not exist
                          Install it with 'sdk install tornadovm %1$s-cuda' (NVIDIA) or '-opencl' (others); see docs/guide/gpu.md.\
                        """
                                .formatted(TornadoSdk.expectedVersion()));
    }

    @Test
    void refusesAnSdkOfAnotherVersion() {
        assertThat(failure(Optional.of(at("5.1.0-jdk25")), Map.of()))
                .isEqualTo(
                        """
                        DEVICE_SDK_VERSION: the TornadoVM SDK in /sdk is version 5.1.0-jdk25, expected %1$s
                          Install it with 'sdk install tornadovm %1$s-cuda' (NVIDIA) or '-opencl' (others); see docs/guide/gpu.md.\
                        """
                                .formatted(TornadoSdk.expectedVersion()));
    }

    @Test
    void refusesAJvmStartedWithoutTheSdk() {
        assertThat(failure(Optional.of(right()), Map.of()))
                .startsWith(
                        "BACKEND_UNAVAILABLE: this JVM was started without the options in /sdk/tornado-argfile, which"
                                + " TornadoVM needs\n  Start with ./outrider");
    }

    @Test
    void refusesAJvmThatWouldRunBrokenKernelsInJava() {
        var started = Map.of("tornado.load.api.implementation", "some.Class");

        assertThat(failure(Optional.of(right()), started))
                .startsWith(
                        "BACKEND_UNAVAILABLE: this JVM was started without -Dtornado.recover.bailout=False, and a"
                                + " kernel that does not compile would run in Java\n");
    }

    @Test
    void saysThatThisBuildHasNoDeviceCode() {
        var properties =
                Map.of(
                        "tornado.load.api.implementation",
                        "some.Class",
                        "tornado.recover.bailout",
                        "False");

        assertThat(failure(Optional.of(right()), properties))
                .isEqualTo(
                        """
                        BACKEND_UNAVAILABLE: this Outrider was built without TornadoVM, so it has no device code
                          Build it again with TORNADOVM_HOME set; ./outrider does so by itself once the SDK is there.\
                        """);
    }

    private static String failure(Optional<TornadoSdk> sdk, Map<String, String> properties) {
        var requirement = new SdkRequirement(sdk, name -> properties.getOrDefault(name, ""));
        try {
            requirement.service(Nothing.class);
            throw new AssertionError("did not fail");
        } catch (OutriderException e) {
            assertThat(e.code())
                    .isIn(
                            ErrorCode.DEVICE_SDK_MISSING,
                            ErrorCode.DEVICE_SDK_VERSION,
                            ErrorCode.BACKEND_UNAVAILABLE);
            return String.valueOf(e.getMessage());
        }
    }

    private static TornadoSdk right() {
        return at(TornadoSdk.expectedVersion());
    }

    private static TornadoSdk at(String version) {
        return new TornadoSdk(Path.of("/sdk"), version, List.of("opencl"));
    }

    private Path sdk(String version, String backends) throws IOException {
        return write(folder.resolve("sdk"), version, backends);
    }

    private static Path write(Path home, String version, String backends) throws IOException {
        Files.createDirectories(home.resolve("etc"));
        Files.writeString(home.resolve("etc/tornado.release"), "version=" + version + "\n");
        Files.writeString(
                home.resolve("etc/tornado.backend"), "tornado.backends=" + backends + "\n");
        return home;
    }
}
