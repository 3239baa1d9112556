package dev.outrider.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisabledOnOs(OS.WINDOWS)
class LauncherTest {
    @TempDir private Path folder;

    @Test
    void buildsOnFirstUseAndPassesArgumentsAndExitCodeThrough() throws Exception {
        var checkout = checkout("plain");
        checkout.jdk("jdk-25", "25.0.3");

        var result = checkout.run(checkout.launcher(), Map.of(), "generate", "two words", "*");

        assertThat(result.exitCode()).isEqualTo(7);
        assertThat(result.text())
                .startsWith("outrider: building (first use")
                .contains("ran jdk-25\nspin=5000\nbind=true\n--enable-native-access=ALL-UNNAMED\n")
                .contains("-Xlog:disable\n-Xlog:all=warning,cds*=off,aot*=off:stderr\n")
                .contains("-Dai.djl.offline=true\n")
                .endsWith("dev.outrider.cli.Main\ngenerate\ntwo words\n*\n");
    }

    @Test
    void runsFromAFolderWithSpacesThroughALink() throws Exception {
        var checkout = checkout("my check out");
        checkout.jdk("jdk 25", "25.0.3");
        Files.createSymbolicLink(folder.resolve("first link"), checkout.launcher());
        Files.createDirectories(folder.resolve("other place"));
        var second =
                Files.createSymbolicLink(
                        folder.resolve("other place/second"), Path.of("../first link"));

        var result = checkout.run(second, Map.of(), "doctor");

        assertThat(result.exitCode()).isEqualTo(7);
        assertThat(result.text())
                .contains("ran jdk 25\n")
                .contains("-Doutrider.root=" + checkout.root().toRealPath() + "\n")
                .contains("\n-XX:AOTCache=" + archives(checkout).getFirst() + "\n")
                .endsWith("\ndoctor\n");
    }

    @Test
    void buildsAgainOnlyWhenASourceIsNewerOrTheCheckoutHasMoved() throws Exception {
        var checkout = checkout("plain");
        checkout.jdk("jdk-25", "25.0.3");
        checkout.run(checkout.launcher(), Map.of());
        checkout.run(checkout.launcher(), Map.of());
        assertThat(checkout.builds()).as("nothing changed").isEqualTo(1);
        assertThat(checkout.run(checkout.launcher(), Map.of(), "--help").text())
                .as("help of what is built")
                .startsWith("ran jdk-25\n");

        var source = checkout.root().resolve("core/cli/src/main/java/Source.java");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
        for (var words : List.of(List.of("--help"), List.of("--version"), List.of("bench", "-h"))) {
            var told = checkout.run(checkout.launcher(), Map.of(), words.toArray(String[]::new));
            assertThat(checkout.builds()).as("%s", words).isEqualTo(1);
            assertThat(told.text())
                    .startsWith("outrider: sources are newer; this is the ")
                    .contains(" of the last build\nran jdk-25\n");
        }
        var changed = checkout.run(checkout.launcher(), Map.of());
        assertThat(checkout.builds()).as("a source changed").isEqualTo(2);
        assertThat(changed.text()).startsWith("outrider: building (sources have changed)\n");

        checkout.run(checkout.launcher(), Map.of("OUTRIDER_NO_BUILD", "1"));
        assertThat(checkout.builds()).as("told not to build").isEqualTo(2);

        var moved = folder.resolve("moved");
        Files.move(checkout.root(), moved);
        checkout.run(moved.resolve("outrider"), Map.of("OUTRIDER_NO_BUILD", "1"));
        assertThat(checkout.builds()).as("moved").isEqualTo(3);
    }

    @Test
    void helpWaitsForJarsThatAreBeingWritten() throws Exception {
        var checkout = checkout("plain");
        checkout.jdk("jdk-25", "25.0.3");
        checkout.run(checkout.launcher(), Map.of());
        var source = checkout.root().resolve("core/cli/src/main/java/Source.java");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
        var lock = Files.createDirectories(launcher(checkout).resolve("lock"));
        Files.writeString(lock.resolve("owner"), ProcessHandle.current().pid() + "\n");

        var help = checkout.start(checkout.launcher(), Map.of(), "--help");
        try (var lines = help.inputReader()) {
            assertThat(lines.readLine())
                    .isEqualTo("outrider: waiting for another outrider that is building");
            Files.delete(lock.resolve("owner"));
            Files.delete(lock);
            assertThat(lines.readLine()).isEqualTo("outrider: building (sources have changed)");
            assertThat(lines.lines()).contains("ran jdk-25");
        }
    }

    @Test
    void saysWhichJdksItFoundWhenNoneIsNewEnough() throws Exception {
        var checkout = checkout("plain");
        var old = checkout.jdk("jdk-17", "17.0.9");
        var early = checkout.jdk("jdk-25", "25.0.1");

        var result = checkout.run(checkout.launcher(), Map.of("PATH", toolsWithoutJava()));

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.text())
                .isEqualTo(
                        """
                        outrider: needs a JDK 25.0.3 or newer, and there is none on this machine. Found:
                            %s (17.0.9)
                            %s (25.0.1)
                          Get one from https://adoptium.net, or with SDKMAN: sdk install java 25-tem,
                          or with Homebrew: brew install openjdk; then run the same command again.
                          A JDK in an unusual place is found through JAVA_HOME.
                        """
                                .formatted(old, early));
    }

    @Test
    void prefersJavaHomeWhenItIsNewEnough() throws Exception {
        var checkout = checkout("plain");
        checkout.jdk("jdk-25", "25.0.3");
        var chosen = checkout.jdk("jdk-26", "26");
        var old = checkout.jdk("jdk-21", "21.0.2");

        assertThat(run(checkout, "JAVA_HOME", chosen.toString())).contains("ran jdk-26\n");
        assertThat(run(checkout, "JAVA_HOME", old.toString())).doesNotContain("ran jdk-21");
    }

    @Test
    void showsTheErrorsAndTheLogOfABuildThatFails() throws Exception {
        var checkout = checkout("plain");
        checkout.jdk("jdk-25", "25.0.3");
        checkout.mavenThat("echo '[INFO] fine'; echo '[ERROR] Source.java:[1,2] oh'; exit 3");

        var result = checkout.run(checkout.launcher(), Map.of());

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.text())
                .isEqualTo(
                        """
                        outrider: building (first use: a minute or two, longer while libraries are downloaded)
                        [ERROR] Source.java:[1,2] oh
                        outrider: the build failed (mvn ended with 3). The whole log: %s/core/cli/target/launcher/build.log
                          If libraries could not be downloaded, check the network connection and run the same command again.
                        """
                                .formatted(checkout.root().toRealPath()));
    }

    @Test
    void saysSoWhenThereIsNoMaven() throws Exception {
        var checkout = checkout("plain");
        checkout.jdk("jdk-25", "25.0.3");

        var result = checkout.run(checkout.launcher(), Map.of("PATH", toolsWithoutJava()));

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.text())
                .startsWith(
                        "outrider: needs Maven 3.8 or newer to build itself, and there is no mvn on the PATH.\n");
    }

    @Test
    void twoFirstRunsAtOnceBuildOnce() throws Exception {
        var checkout = checkout("plain");
        checkout.jdk("jdk-25", "25.0.3");

        var one = checkout.start(checkout.launcher(), Map.of());
        var two = checkout.start(checkout.launcher(), Map.of());
        assertThat(text(one)).contains("ran jdk-25");
        assertThat(text(two)).contains("ran jdk-25");

        assertThat(checkout.builds()).isEqualTo(1);
    }

    @Test
    void takesOverTheLockOfABuilderThatDied() throws Exception {
        var checkout = checkout("plain");
        checkout.jdk("jdk-25", "25.0.3");
        var lock =
                Files.createDirectories(checkout.root().resolve("core/cli/target/launcher/lock"));
        var dead = new ProcessBuilder("/bin/sh", "-c", "exit 0").start();
        dead.waitFor();
        Files.writeString(lock.resolve("owner"), dead.pid() + "\n");

        var result = checkout.run(checkout.launcher(), Map.of());

        assertThat(result.text()).contains("ran jdk-25");
    }

    @Test
    void addsTheSdksOptionsWhenAConfigurationAsksForTheDevice() throws Exception {
        var checkout = checkout("plain");
        checkout.jdk("jdk-25", "25.0.3");
        var sdk = checkout.tornadoSdk("sdk");
        var config = Files.writeString(folder.resolve("c.yaml"), "target: {use: tornado, path: x}");
        var other = Files.writeString(folder.resolve("d.yaml"), "target: {use: djl} # no tornado");
        var environment = Map.of("TORNADOVM_HOME", sdk.toString());

        var options =
                checkout.root().toRealPath().resolve("core/cli/target/launcher/tornado-argfile");
        for (var arguments :
                List.of(
                        List.of("bench", config.toString()),
                        List.of("generate", "--config", config.toString()),
                        List.of("generate", "--config=" + config),
                        List.of("bench", other.toString(), "--set", "target.use=tornado"),
                        List.of("bench-model", "--backend", "tornado"),
                        List.of("bench-model", "--backend=tornado"),
                        List.of("kernels"))) {
            var result =
                    checkout.run(
                            checkout.launcher(), environment, arguments.toArray(String[]::new));
            assertThat(result.text())
                    .as("%s", arguments)
                    .contains(
                            "\n@%s\n-Dtornado.recover.bailout=False\n".formatted(options),
                            "\n-XX:+UseSerialGC\n");
        }
        assertThat(options)
                .hasContent(
                        "-Djava.library.path=%s/lib%n--module-path %s/share/java/tornado"
                                .formatted(sdk, sdk));

        assertThat(checkout.run(checkout.launcher(), environment, "bench", other.toString()).text())
                .as("a configuration for another target")
                .doesNotContain("tornado");
    }

    @Test
    void aShortCommandGoesWithoutTheSecondCompiler() throws Exception {
        var checkout = checkout("plain");
        checkout.jdk("jdk-25", "25.0.3");

        for (var words :
                List.of(
                        List.<String>of(),
                        List.of("--version"),
                        List.of("lab", "x"),
                        List.of("bench", "--help"))) {
            assertThat(
                            checkout.run(
                                            checkout.launcher(),
                                            Map.of(),
                                            words.toArray(String[]::new))
                                    .text())
                    .as("%s", words)
                    .contains("\n-XX:TieredStopAtLevel=1\n");
        }
    }

    @Test
    void mapsTheClassesThatTheBuildKept() throws Exception {
        var checkout = checkout("plain");
        checkout.jdk("jdk-25", "25.0.3");
        checkout.run(checkout.launcher(), Map.of(), "doctor");
        assertThat(checkout.run(checkout.launcher(), Map.of(), "doctor").text())
                .contains("\n-XX:AOTCache=" + archives(checkout).getFirst() + "\n");
    }

    @Test
    void aJdkWhoseVectorsCannotBeCopiedHasTheirModule() throws Exception {
        var checkout = checkout("plain");
        Files.delete(checkout.jdk("jdk-25", "25.0.3").resolve("bin/jimage"));

        assertThat(checkout.run(checkout.launcher(), Map.of(), "doctor").text())
                .contains(
                        "\n--add-modules\njdk.incubator.vector\n-XX:SharedArchiveFile="
                                + launcher(checkout).resolve("classes-"))
                .doesNotContain("AOTCache");
        assertThat(archives(checkout)).hasSize(2);
        assertThat(run(checkout, "X", "")).as("not tried again").contains("SharedArchiveFile");
        assertThat(checkout.builds()).isEqualTo(1);
    }

    @Test
    void linkedClassesAreNotUsedWithoutTheirVectorsAndAreMadeAgain() throws Exception {
        var checkout = checkout("plain");
        checkout.jdk("jdk-25", "25.0.3");
        run(checkout, "X", "");
        try (var files = Files.list(launcher(checkout))) {
            for (var file :
                    files.filter(each -> each.getFileName().toString().startsWith("vectors-"))
                            .toList()) {
                Files.delete(file);
            }
        }

        assertThat(run(checkout, "OUTRIDER_NO_BUILD", "1"))
                .contains("\n--add-modules\njdk.incubator.vector\n")
                .doesNotContain("AOTCache", "bootclasspath");
        assertThat(run(checkout, "X", ""))
                .contains("\n-Xbootclasspath/a:" + launcher(checkout).resolve("vectors-"));
    }

    /// The module would have the JVM print a warning.
    @Test
    void vectorsAreUsedWithoutLinkedClasses() throws Exception {
        var checkout = checkout("plain");
        checkout.jdk("jdk-25", "25.0.3");
        run(checkout, "X", "");
        Files.delete(archives(checkout).getFirst());

        assertThat(run(checkout, "OUTRIDER_NO_BUILD", "1"))
                .contains(
                        "\n@" + launcher(checkout).resolve("vectors-"),
                        "\n-Xbootclasspath/a:" + launcher(checkout).resolve("vectors-"))
                .doesNotContain("AOTCache", "jdk.incubator.vector");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Xshare:off", "-XX:SharedArchiveFile=x.jsa", "-XX:AOTMode=off"})
    void anotherArchiveOfTheUserReplacesTheBuilds(String option) throws Exception {
        var checkout = checkout("plain");
        checkout.jdk("jdk-25", "25.0.3");
        run(checkout, "X", "");

        assertThat(run(checkout, "OUTRIDER_JAVA_OPTIONS", option))
                .contains("\n" + option + "\n", "\n-Xbootclasspath/a:")
                .doesNotContain("AOTCache=");
    }

    @Test
    void helpMapsLinkedClassesOfItsOwn() throws Exception {
        var checkout = checkout("plain");
        checkout.jdk("jdk-25", "25.0.3");
        checkout.run(checkout.launcher(), Map.of(), "doctor");
        for (var words : List.of(List.of("--help"), List.of("--version"), List.of("bench", "-h"))) {
            assertThat(
                            checkout.run(
                                            checkout.launcher(),
                                            Map.of(),
                                            words.toArray(String[]::new))
                                    .text())
                    .as("%s", words)
                    .contains("\n-XX:AOTCache=" + launcher(checkout).resolve("help-"))
                    .doesNotContain("SharedArchiveFile", "jdk.incubator.vector", "@");
        }
    }

    @Test
    void takesACopyInANewerFormOfTheLibraryWithOldClasses() throws Exception {
        var checkout = checkout("plain");
        checkout.maven("picocli-4.7.jar");
        checkout.jdk("jdk-25", "25.0.3");
        var copy = launcher(checkout).resolve("picocli.jar");
        assertThat(checkout.run(checkout.launcher(), Map.of(), "doctor").text())
                .contains("/outrider-cli.jar:" + copy + "\n");
        assertThat(copy).hasContent("newer");
    }

    @Test
    void everyJdkGetsAnArchiveOfItsOwn() throws Exception {
        var checkout = checkout("plain");
        checkout.jdk("jdk-25", "25.0.3");
        checkout.run(checkout.launcher(), Map.of(), "doctor");
        var first = archives(checkout).getFirst();
        var other = checkout.jdk("jdk-26", "26.0.1").toString();

        assertThat(
                        checkout.run(
                                        checkout.launcher(),
                                        Map.of("JAVA_HOME", other, "OUTRIDER_NO_BUILD", "1"),
                                        "doctor")
                                .text())
                .as("a JDK that did not write it")
                .contains("ran jdk-26\n", "\n--add-modules\njdk.incubator.vector\n")
                .doesNotContain("SharedArchiveFile", "AOTCache");
        var text = run(checkout, "JAVA_HOME", other);

        var archives = new ArrayList<>(archives(checkout));
        assertThat(archives).hasSize(2).contains(first);
        archives.remove(first);
        assertThat(text).contains("ran jdk-26\n", "\n-XX:AOTCache=" + archives.getFirst() + "\n");
        assertThat(checkout.builds()).isEqualTo(1);
        assertThat(run(checkout, "X", "")).contains("\n-XX:AOTCache=" + first + "\n");

        var source = checkout.root().resolve("core/cli/src/main/java/Source.java");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
        run(checkout, "X", "");
        assertThat(archives(checkout))
                .as("those of the last build are gone")
                .containsExactly(first);
    }

    @Test
    void anArchiveOfAJvmThatFailsIsNotKept() throws Exception {
        var checkout = checkout("plain");
        var tries = folder.resolve("tries");
        checkout.jdkThat("jdk-25", "25.0.3", "echo try >>'%s'; exit 3".formatted(tries));
        Files.createDirectories(launcher(checkout));
        Files.writeString(launcher(checkout).resolve("classes-1.jsa.new"), "of a killed run");

        var result = checkout.run(checkout.launcher(), Map.of(), "doctor");

        assertThat(result.text())
                .contains("ran jdk-25")
                .doesNotContain("SharedArchiveFile", "AOTCache=");
        assertThat(archives(checkout))
                .extracting(Path::toString)
                .allMatch(file -> file.endsWith(".failed"));
        checkout.run(checkout.launcher(), Map.of(), "doctor");
        assertThat(tries).as("linked classes, then loaded ones").hasContent("try\ntry");
    }

    @Test
    void interruptedWhileItArchivesItLeavesNothing() throws Exception {
        var checkout = checkout("plain");
        checkout.jdkThat(
                "jdk-25",
                "25.0.3",
                "mkdir '%s'; kill -TERM $PPID; exec sleep 50"
                        .formatted(launcher(checkout).resolve("archived")));

        var result = checkout.run(checkout.launcher(), Map.of(), "doctor");

        assertThat(result.exitCode()).isEqualTo(130);
        assertThat(result.text()).endsWith("outrider: interrupted while building\n");
        assertThat(archives(checkout)).isEmpty();
        assertThat(launcher(checkout).resolve("archived")).doesNotExist();
        assertThat(launcher(checkout).resolve("lock")).doesNotExist();
        checkout.jdk("jdk-25", "25.0.3");
        assertThat(run(checkout, "X", "")).contains("\n-XX:AOTCache=");
        assertThat(checkout.builds()).isEqualTo(1);
    }

    @Test
    void whatMayComputePassesHasBothCompilers() throws Exception {
        var checkout = checkout("plain");
        checkout.jdk("jdk-25", "25.0.3");

        for (var words :
                List.of(
                        List.of("bench", "lab"),
                        List.of("--debug", "bench", "x"),
                        List.of("generate", "--prompt", "what does ls -h do", "x"))) {
            assertThat(
                            checkout.run(
                                            checkout.launcher(),
                                            Map.of(),
                                            words.toArray(String[]::new))
                                    .text())
                    .as("%s", words)
                    .contains("\n@" + launcher(checkout).resolve("vectors-"))
                    .doesNotContain("TieredStopAtLevel", "--add-modules");
        }
    }

    @Test
    void startsWithoutTheSdksOptionsWhereThereIsNone() throws Exception {
        var checkout = checkout("plain");
        checkout.jdk("jdk-25", "25.0.3");

        var text = checkout.run(checkout.launcher(), Map.of(), "kernels").text();

        assertThat(text).contains("ran jdk-25").doesNotContain("tornado");
    }

    @Test
    void buildsAgainOnceAnSdkIsInstalled() throws Exception {
        var checkout = checkout("plain");
        checkout.jdk("jdk-25", "25.0.3");
        checkout.run(checkout.launcher(), Map.of());
        checkout.run(checkout.launcher(), Map.of());
        assertThat(checkout.builds()).isEqualTo(1);

        checkout.tornadoSdk("home/.sdkman/candidates/tornadovm/current");
        checkout.run(checkout.launcher(), Map.of());
        checkout.run(checkout.launcher(), Map.of());
        assertThat(checkout.builds()).as("where SDKMAN puts it").isEqualTo(2);
    }

    private Checkout checkout(String name) throws IOException {
        var checkout = new Checkout(folder, name);
        checkout.maven();
        return checkout;
    }

    private static Path launcher(Checkout checkout) throws IOException {
        return checkout.root().toRealPath().resolve("core/cli/target/launcher");
    }

    /// Returns the archives of classes, finished or not.
    private static List<Path> archives(Checkout checkout) throws IOException {
        try (var files = Files.list(launcher(checkout))) {
            return files.filter(file -> file.getFileName().toString().startsWith("classes-"))
                    .toList();
        }
    }

    private static String run(Checkout checkout, String variable, String value)
            throws IOException, InterruptedException {
        return checkout.run(checkout.launcher(), Map.of(variable, value), "doctor").text();
    }

    private static String text(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /// Returns a folder with the tools that the script needs, and no others.
    private String toolsWithoutJava() throws IOException {
        var tools = Files.createDirectories(folder.resolve("tools"));
        for (var name :
                new String[] {
                    "dirname",
                    "cksum",
                    "cut",
                    "sed",
                    "cat",
                    "find",
                    "mkdir",
                    "sleep",
                    "rm",
                    "mv",
                    "readlink",
                    "grep",
                    "head",
                    "tail"
                }) {
            for (var place : new String[] {"/usr/bin", "/bin"}) {
                var tool = Path.of(place, name);
                if (Files.isExecutable(tool) && !Files.exists(tools.resolve(name))) {
                    Files.writeString(tools.resolve(name), "#!/bin/sh\nexec " + tool + " \"$@\"\n");
                    assertThat(tools.resolve(name).toFile().setExecutable(true)).isTrue();
                }
            }
        }
        return tools.toString();
    }
}
