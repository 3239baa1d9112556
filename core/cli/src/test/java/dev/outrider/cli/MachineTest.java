package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MachineTest {
    @Test
    void saysWhatChangesARunAndNotWhereItsClassesAreOrWhatItLogs() {
        assertThat(
                        Machine.flags(
                                List.of(
                                        "-XX:+UseSerialGC",
                                        "-XX:SharedArchiveFile=/home/someone/classes-1.jsa",
                                        "-XX:AOTCache=/home/someone/classes-1.aot",
                                        "-Xbootclasspath/a:/home/someone/vectors-1.jar",
                                        "-XX:+EnableVectorSupport",
                                        "--add-exports=java.base/jdk.internal.util=ALL-UNNAMED",
                                        "-Xlog:cds*=off",
                                        "-Xmx8g",
                                        "-Doutrider.root=/home/someone",
                                        "--add-modules=jdk.incubator.vector")))
                .containsExactly(
                        "-XX:+UseSerialGC", "-Xmx8g", "--add-modules=jdk.incubator.vector");
    }
}
