package dev.outrider.experiment.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuredDraftsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir private Path folder;

    @Test
    void rowsAreTheRootAndEveryNode() throws IOException {
        Path results = WrittenResults.in(folder);
        Path file = results.resolve("details.json");
        var details = (ObjectNode) JSON.readTree(file.toFile());
        var variant = (ObjectNode) details.get("variants").get(1);
        ((ObjectNode) variant.get("speed").get("speedup")).put("value", 1.25);
        ((ObjectNode) variant.get("counts"))
                .put("rounds", 10)
                .put("emitted", 15)
                .put("drafted", 25)
                .put("unverified", 90);
        JSON.writeValue(file.toFile(), details);

        assertThat(MeasuredDrafts.read(results))
                .extracting(MeasuredDrafts::variant)
                .containsExactly("chain", "sampled");
        assertThat(MeasuredDrafts.read(results))
                .contains(new MeasuredDrafts("chain", 12.5, 1.5, 1.25));
    }

    @Test
    void resultsWithoutADraftAreRefused() throws IOException {
        Path results = WrittenResults.in(folder);
        Path file = results.resolve("details.json");
        var details = (ObjectNode) JSON.readTree(file.toFile());
        for (JsonNode variant : details.get("variants")) {
            ((ObjectNode) variant.get("counts")).put("drafted", 0).put("unverified", 0);
        }
        JSON.writeValue(file.toFile(), details);

        assertThatThrownBy(() -> MeasuredDrafts.read(results))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        """
                        DATA_INVALID: no variant of the comparison in '%s' drafted anything
                          Name the results of a comparison that has a drafter.\
                        """
                                .formatted(results));
    }

    @Test
    void aFolderWithoutResultsIsRefused() throws IOException {
        refused("there is no such file");
        Files.writeString(folder.resolve("details.json"), "not json");
        refused("Unrecognized token");
    }

    private void refused(String reason) {
        assertThatThrownBy(() -> MeasuredDrafts.read(folder))
                .isInstanceOf(OutriderException.class)
                .hasMessageStartingWith(
                        "DATA_INVALID: '%s' cannot be read as results: "
                                .formatted(folder.resolve("details.json")))
                .hasMessageContaining(reason)
                .hasMessageEndingWith(
                        "or name a folder that 'outrider bench' or 'outrider sweep' has written.");
    }
}
