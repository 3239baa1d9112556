package dev.outrider.nn.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Paths that name a shape.
class ModelPathsTest extends ShapeFiles {
    @BeforeEach
    void keepShapesHere() {
        System.setProperty("outrider.shapes", folder.resolve("shapes").toString());
    }

    @AfterEach
    void keepShapesWhereUsersDo() {
        System.clearProperty("outrider.shapes");
    }

    @Test
    void aShapeIsWrittenOnceAndAgainWhenAnyFileChanges() throws IOException {
        var source = new Small("llama", "model.", true).write(folder.resolve("small"));
        var named = folder.resolve("small@stories260k");
        var first = ModelPaths.resolved(named);
        assertThat(ModelPaths.resolved(named)).isEqualTo(first);

        Files.writeString(source.resolve("chat_template.jinja"), "{{ messages }}");
        var second = ModelPaths.resolved(named);
        assertThat(second).isNotEqualTo(first);
        assertThat(second.resolve("chat_template.jinja")).hasContent("{{ messages }}");

        var config = (ObjectNode) MAPPER.readTree(source.resolve("config.json").toFile());
        Files.writeString(
                source.resolve("config.json"), config.put("rms_norm_eps", 0.02).toString());
        var third = new Checkpoint(ModelPaths.resolved(named));
        assertThat(third.path()).isNotEqualTo(second);
        assertThat(ModelConfig.read(third).decoder().normEpsilon())
                .isCloseTo(0.02 * HIDDEN / 64 / 2, offset(1e-4));
    }

    @Test
    void layersOfZerosAreKeptOnceAndReadLikeThoseOfAWholeFile() throws IOException {
        var source = new Small("llama", "model.", true).write(folder.resolve("small"));
        var kept = new Checkpoint(ModelPaths.resolved(folder.resolve("small@stories260k")));
        var out = folder.resolve("whole");
        ShapedCheckpoint.write(new Checkpoint(source), "stories260k", out);

        try (var brief = kept.openTensors();
                var whole = new Checkpoint(out).openTensors()) {
            assertThat(brief.names()).isEqualTo(whole.names());
            for (var name : whole.names()) {
                var expected = whole.tensor(name);
                assertThat(brief.tensor(name).shape()).isEqualTo(expected.shape());
                assertThat(brief.tensor(name).data().mismatch(expected.data())).isEqualTo(-1);
            }
            assertThat(brief.digest()).isEqualTo(whole.digest());
        }
        assertThat(Files.size(kept.path().resolve("model.safetensors")))
                .isLessThan(Files.size(out.resolve("model.safetensors")));
    }

    @Test
    void whatTakesNoShapeSaysSo() {
        new Small("llama", "model.", true).write(folder.resolve("small"));

        assertThatThrownBy(() -> new Checkpoint(folder.resolve("small@stories260k")))
                .hasMessageContaining("in the shape 'stories260k'")
                .hasMessageContaining("only targets and drafters");
    }

    @Test
    void aRefusedCheckpointLeavesNoFiles() throws IOException {
        var source = new Small("llama", "model.", true).write(folder.resolve("small"));
        var config = (ObjectNode) MAPPER.readTree(source.resolve("config.json").toFile());
        Files.writeString(
                source.resolve("config.json"), config.put("partial_rotary_factor", 0.5).toString());

        assertThatThrownBy(() -> ModelPaths.resolved(folder.resolve("small@stories260k")))
                .hasMessageStartingWith("CHECKPOINT_UNSUPPORTED");
        try (var left = Files.walk(folder.resolve("shapes"))) {
            assertThat(left.filter(each -> each.toString().contains("writing"))).isEmpty();
        }
    }
}
