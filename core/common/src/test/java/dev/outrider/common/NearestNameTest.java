package dev.outrider.common;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NearestNameTest {
    private static final List<String> KNOWN = List.of("temperature", "topK", "draftLength");

    @Test
    void findsATypoWhateverItsCaseAndHyphens() {
        assertThat(NearestName.to("temprature", KNOWN)).contains("temperature");
        assertThat(NearestName.to("DRAFT-LENGHT", KNOWN)).contains("draftLength");
        assertThat(NearestName.to("temp", KNOWN)).contains("temperature");
    }

    @Test
    void saysNothingWhenNothingIsNear() {
        assertThat(NearestName.to("zebra", KNOWN)).isEmpty();
        assertThat(NearestName.to("x", List.of())).isEmpty();
    }

    @Test
    void ranksHoweverFarAway() {
        assertThat(NearestName.ranked("topP", KNOWN, 2)).startsWith("topK").hasSize(2);
    }

    @Test
    void aSwapOfNeighboursIsOneEdit() {
        assertThat(NearestName.distance("rule", "rlue")).isEqualTo(1);
        assertThat(NearestName.distance("", "abc")).isEqualTo(3);
        assertThat(NearestName.distance("kitten", "sitting")).isEqualTo(3);
    }

    @Test
    void looksThroughVeryManyNamesFast() {
        var names =
                IntStream.range(0, 400_000)
                        .mapToObj("model.layers.%d.a_rather_long_name.weight"::formatted)
                        .toList();
        var bean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = bean.getCurrentThreadAllocatedBytes();
        assertThat(NearestName.ranked("model.layers.123456.a_rather_long_nome.weight", names, 2))
                .first()
                .isEqualTo("model.layers.123456.a_rather_long_name.weight");
        assertThat(NearestName.to("model.layers.123456.a_rather_long_nome.weight", names))
                .contains("model.layers.123456.a_rather_long_name.weight");
        // A full distance table for each name would allocate a hundred times as much.
        assertThat(bean.getCurrentThreadAllocatedBytes() - before).isLessThan(2_000_000_000L);
    }

    @Test
    void aMissingFileIsComparedWithThoseBesideIt(@TempDir Path folder) throws IOException {
        Files.createFile(folder.resolve("quickstart.yaml"));

        assertThat(NearestName.hint(folder.resolve("quikstart.yaml")))
                .isEqualTo("; did you mean 'quickstart.yaml' there?");
        assertThat(NearestName.hint(folder.resolve("quickstart.json"))).isEmpty();
        assertThat(NearestName.hint(folder.resolve("other"))).isEmpty();
        assertThat(NearestName.hint(folder.resolve("none/quickstart.yaml"))).isEmpty();
    }

    @Test
    void aDotInTheNameOfAFolderIsNoEnding(@TempDir Path folder) throws IOException {
        Files.createDirectory(folder.resolve("qwen2.5-0.5b-instruct"));
        Files.createDirectory(folder.resolve("llama-3.2"));

        assertThat(NearestName.hint(folder.resolve("qwen2.5-0.5b")))
                .isEqualTo("; did you mean 'qwen2.5-0.5b-instruct' there?");
        assertThat(NearestName.hint(folder.resolve("lama-3.1")))
                .isEqualTo("; did you mean 'llama-3.2' there?");
    }
}
