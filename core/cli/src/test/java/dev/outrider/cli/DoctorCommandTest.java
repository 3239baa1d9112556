package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// `outrider doctor` on this machine.
class DoctorCommandTest {
    @Test
    void theDoctorFindsEngineAndModels() {
        var run = Run.of("doctor");

        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .contains("tensor engine PyTorch 2.")
                .containsPattern(
                        "\\ntornadovm     (not used: target 'tornado' needs TornadoVM|\\d+\\.\\d+\\.\\d+-jdk)")
                .containsPattern("\\ndrafters      .*small-model")
                .containsPattern("\\nadvice        .+\\n$");
    }

    @Test
    void theFirstThingThatCostsSpeedIsTheAdvice() {
        assertThat(DoctorCommand.advice("none", 1, false, false)).contains("jdk.incubator.vector");
        assertThat(DoctorCommand.advice("256 bits", 1, false, false)).contains("fails above");
        assertThat(DoctorCommand.advice("256 bits", 1, false, true)).contains("one thread");
        assertThat(DoctorCommand.advice("256 bits", 2, false, true)).contains("machine code");
        assertThat(DoctorCommand.advice("512 bits", 2, true, true))
                .startsWith("nothing is missing; next: outrider tune");
    }
}
