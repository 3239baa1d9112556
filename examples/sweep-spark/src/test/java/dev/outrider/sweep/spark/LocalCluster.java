package dev.outrider.sweep.spark;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Spark's master and two workers in the driver's process, each with an executor in a separate
/// process.
///
/// @param home a folder laid out as a Spark installation
record LocalCluster(Path home) {
    private static final String EXECUTOR = "CoarseGrainedExecutorBackend";
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    /// Links Spark's jars to the places where its launcher expects them.
    static LocalCluster laidOut() throws IOException {
        Path home = Path.of("target", "spark-home").toAbsolutePath();
        Path jars = Files.createDirectories(home.resolve("jars"));
        Path list = Path.of(System.getProperty("outrider.spark.classpath"));
        for (String jar : Files.readString(list).strip().split(File.pathSeparator)) {
            Path link = jars.resolve(Path.of(jar).getFileName());
            Files.deleteIfExists(link);
            Files.createSymbolicLink(link, Path.of(jar));
        }
        return new LocalCluster(home);
    }

    /// Starts a driver.
    Process submit(Path log, String... arguments) throws IOException {
        // Files of a killed process are in a folder that 'mvn clean' deletes.
        String scratch = "-Djava.io.tmpdir=" + Files.createDirectories(home.resolve("tmp"));
        List<String> command =
                new ArrayList<>(
                        List.of(
                                JAVA,
                                scratch,
                                "-Dspark.executor.extraJavaOptions=" + scratch,
                                "-Dspark.master=local-cluster[2,1,1024]",
                                "-Dspark.executor.memory=512m",
                                "-Dspark.ui.enabled=false",
                                "-Dspark.driver.host=localhost",
                                "-Dspark.executor.extraClassPath=" + program(),
                                "-cp",
                                program() + File.pathSeparator + home.resolve("jars") + "/*",
                                SparkSweep.class.getName()));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).directory(home.toFile());
        builder.environment().put("SPARK_HOME", home.toString());
        builder.environment().put("SPARK_SCALA_VERSION", "2.13");
        builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("OUTRIDER_NO_BUILD", "1");
        return builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    }

    /// Returns the classes under test, in the folder of the Maven build.
    private static Path program() {
        return Path.of("target", "classes").toAbsolutePath();
    }

    /// Returns an executor that has started a cell.
    static Optional<ProcessHandle> busyExecutor(Process driver) {
        try (Stream<ProcessHandle> all = driver.descendants()) {
            return all.filter(LocalCluster::isExecutor)
                    .filter(each -> each.children().anyMatch(LocalCluster::isJava))
                    .findFirst();
        }
    }

    /// Executors also start other programs while they start.
    private static boolean isJava(ProcessHandle process) {
        return process.info().command().orElse("").endsWith("/bin/java");
    }

    private static boolean isExecutor(ProcessHandle process) {
        return process.info().commandLine().orElse("").contains(EXECUTOR);
    }
}
