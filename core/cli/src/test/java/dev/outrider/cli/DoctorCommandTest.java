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
                .containsPattern("\\ndrafters      .*small-model");
    }
}
