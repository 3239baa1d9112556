package dev.outrider.launcher;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// A folder that looks like a checkout to the launcher: the real script, one source file, and a JDK and a Maven that only record
/// their arguments. A second that the script waits takes a fifth of one.
final class Checkout {
    private final Path base;
    private final Path root;

    Checkout(Path base, String folder) throws IOException {
        this.base = base;
        root = Files.createDirectories(base.resolve(folder));
        Files.copy(repository().resolve("outrider"), root.resolve("outrider"));
        Files.writeString(root.resolve("pom.xml"), "<project/>");
        write(root.resolve("core/cli/src/main/java/Source.java"), "class Source {}");
        script(base.resolve("bin/sleep"), "[ \"$1\" = 1 ] && set -- 0.2; exec /bin/sleep \"$@\"");
        Files.createDirectories(base.resolve("home"));
    }

    static Path repository() {
        return Path.of(System.getProperty("outrider.root", "../.."));
    }

    Path root() {
        return root;
    }

    Path launcher() {
        return root.resolve("outrider");
    }

    /// A JDK whose `java` prints its name and its arguments, one per line, and ends with code 7; it archives classes if asked to.
    Path jdk(String folder, String version) throws IOException {
        return jdkThat(folder, version, "exit 0");
    }

    /// Adds a JDK, as the method above.
    ///
    /// @param archived shell commands that `java` runs after it has written an archive
    Path jdkThat(String folder, String version, String archived) throws IOException {
        var home = base.resolve("jdks").resolve(folder);
        write(
                home.resolve("release"),
                "IMPLEMENTOR=\"Nobody\"\nJAVA_VERSION=\"" + version + "\"\n");
        script(
                home.resolve("bin/java"),
                """
                for argument in "$@"; do
                    case $argument in
                    -XX:ArchiveClassesAtExit=* | -XX:AOTCacheOutput=*/classes-*)
                        echo classes >"${argument#*=}"
                        %s ;;
                    -XX:AOTCacheOutput=*)
                        echo linked >"${argument#*=}"
                        exit 0 ;;
                    */NewerClasses.java)
                        echo newer >"$3"
                        exit 0 ;;
                    esac
                done
                printf '%%s\\n' 'ran %s' "spin=$GOMP_SPINCOUNT" "bind=$OMP_PROC_BIND" "$@"
                exit 7
                """
                        .formatted(archived, folder));
        script(home.resolve("bin/javac"), "exit 0");
        script(
                home.resolve("bin/jimage"),
                "mkdir -p \"$3/jdk.incubator.vector\"; : >\"$3/jdk.incubator.vector/module-info.class\"");
        script(home.resolve("bin/jar"), ": >\"$4\"");
        return home;
    }

    /// A TornadoVM SDK as SDKMAN unpacks it, with its options as a template.
    Path tornadoSdk(String folder) throws IOException {
        var home = base.resolve(folder);
        write(home.resolve("etc/tornado.release"), "version=5.2.0-jdk25\n");
        write(
                home.resolve("tornado-argfile.template"),
                """
                --enable-preview
                -XX:+UseParallelGC
                -Djava.library.path=${TORNADOVM_HOME}/lib
                --module-path .:${TORNADOVM_HOME}/share/java/tornado
                """);
        return home;
    }

    /// A Maven that writes the class path that the launcher asked for, counts its runs, and fails if it gets the settings of our
    /// JVM.
    void maven() throws IOException {
        maven("library.jar");
    }

    /// @param library file name of the one on the class path
    void maven(String library) throws IOException {
        mavenThat(
                """
                [ -z "${OMP_PROC_BIND:-}${GLIBC_TUNABLES:-}" ] || exit 1
                for argument in "$@"; do
                    case $argument in
                    -Doutrider.classpath.file=*)
                        : >core/cli/target/outrider-cli.jar
                        : >core/cli/target/LIBRARY
                        printf '%s' "$PWD/core/cli/target/LIBRARY" >"${argument#*=}" ;;
                    esac
                done
                """
                        .replace("LIBRARY", library));
    }

    void mavenThat(String body) throws IOException {
        script(base.resolve("bin/mvn"), "echo run >>'" + base.resolve("builds") + "'\n" + body);
    }

    int builds() throws IOException {
        var file = base.resolve("builds");
        return Files.exists(file) ? Files.readAllLines(file).size() : 0;
    }

    /// Runs the launcher under a path and waits for it.
    Result run(Path launcher, Map<String, String> more, String... arguments)
            throws IOException, InterruptedException {
        var process = start(launcher, more, arguments);
        var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IllegalStateException("the launcher did not end: " + text);
        }
        return new Result(process.exitValue(), text);
    }

    Process start(Path launcher, Map<String, String> more, String... arguments) throws IOException {
        var command = new ArrayList<String>();
        command.add("/bin/sh");
        command.add(launcher.toString());
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).directory(base.toFile());
        builder.redirectErrorStream(true);
        var environment = builder.environment();
        environment.clear();
        environment.put("PATH", base.resolve("bin") + ":/usr/bin:/bin");
        environment.put("HOME", base.resolve("home").toString());
        environment.put("OUTRIDER_JDK_PATH", base.resolve("jdks").toString());
        environment.putAll(more);
        return builder.start();
    }

    /// The exit code of a run and its output on both streams.
    record Result(int exitCode, String text) {}

    private static void script(Path file, String body) throws IOException {
        write(file, "#!/bin/sh\n" + body + "\n");
        if (!file.toFile().setExecutable(true)) {
            throw new IOException("cannot make " + file + " executable");
        }
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
