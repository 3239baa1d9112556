package dev.outrider.experiment.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.experiment.report.chart.TrainingCurve;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TrainingFilesTest {
    private static final String CURVE =
            """
            {"step":10,"tokens":100,"loss":3.5,"lr":0.01,"tokensPerSecond":50}
            {"step":20,"tokens":200,"loss":2.5,"lr":0.02,"validationLoss":2.75,"agreement0":0.5,"tokens per round":2.5,"tokensPerSecond":60}
            {"step":30,"tokens":300,"loss":2.0,"lr":0.01,"validationLoss":2.25,"agreement0":0.625,"tokens per round":3.5,"tokensPerSecond":55}
            """;

    @TempDir Path folder;

    @Test
    void everyCurveOfARunIsDrawnWithItsNumbers() throws Exception {
        Files.writeString(
                folder.resolve("training.json"), "{\"steps\": 30, \"seed\": 7, \"a<b\": \"&\"}");
        var page = report(CURVE);
        var parsed = Parsed.xml(page);
        assertThat(Parsed.all(parsed, "svg")).hasSize(5);
        assertThat(page)
                .contains("validationLoss after step 20: 2.75", "agreement0 after step 30: 0.625")
                .contains("<td>seed</td>")
                .doesNotContain("unfinished");
        assertThat(csv("loss"))
                .isEqualTo("step,loss,validationLoss\r\n10,3.5,\r\n20,2.5,2.75\r\n30,2.0,2.25\r\n");
        assertThat(csv("shares")).isEqualTo("step,agreement0\r\n20,0.5\r\n30,0.625\r\n");
        assertThat(csv("measure-tokens-per-round"))
                .isEqualTo("step,tokens per round\r\n20,2.5\r\n30,3.5\r\n");
        var line = Parsed.xml(Files.readString(folder.resolve("out/report/speed.svg")));
        assertThat(Parsed.all(line, "path"))
                .anySatisfy(path -> assertThat(path.getAttribute("class")).startsWith("curve"));
    }

    /// A bin has its share, and confidence and acceptance times the share; the last validation counts.
    @Test
    void aConfidenceHeadsReliabilityIsDrawn() throws Exception {
        var page =
                report(
                        """
                        {"step":1,"share0":1.0,"confidence0":0.5,"accepted0":0.25}
                        {"step":2,"share0":0.25,"confidence0":0.05,"accepted0":0.125,"share1":0,"confidence1":0,"accepted1":0,"share2":0.75,"confidence2":0.6,"accepted2":0.525}
                        """);
        assertThat(csv("reliability"))
                .isEqualTo(
                        "bin,share,mean confidence,mean acceptance\r\n0,0.25,0.2,0.5\r\n2,0.75,0.7999999999999999,0.7000000000000001\r\n");
        assertThat(page)
                .contains("Expected calibration error", "weighted by these shares: 0.150.")
                .doesNotContain("share0");
    }

    @Test
    void anUnfinishedRunIsDrawnAsFarAsItHasCome() throws Exception {
        var page = report(CURVE.substring(0, 90));
        assertThat(page).contains("unfinished: there is no training.json");
        assertThat(csv("loss")).isEqualTo("step,loss\r\n10,3.5\r\n");
        assertThat(report("")).contains("The run has not written any yet.");
    }

    @Test
    void aBrokenCurveIsSaidToBeBroken() throws IOException {
        assertThatThrownBy(() -> report("{\"step\":1,\n"))
                .hasMessageStartingWith(
                        "DATA_INVALID: '%s' cannot be read as results"
                                .formatted(folder.resolve("loss-curve.jsonl")));
        assertThat(TrainingCurve.isIn(folder)).isTrue();
        assertThat(TrainingCurve.isIn(folder.resolve("out"))).isFalse();
    }

    private String report(String curve) throws IOException {
        Files.writeString(folder.resolve("loss-curve.jsonl"), curve);
        return Files.readString(TrainingFiles.write(folder, folder.resolve("out")));
    }

    private String csv(String id) throws IOException {
        return Files.readString(folder.resolve("out/report").resolve(id + ".csv"));
    }
}
