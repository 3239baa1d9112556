package dev.outrider.drafter.hydraplusplus;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.drafting.head.SequenceDrafter;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.network.SharedWeights;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.ForwardingTarget;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A head in the authors' layout computes the same as `reference.py`, which was written from the authors' program.
class HydraPlusPlusReferenceTest {
    private static final float TOLERANCE = 2e-5f;

    private final Path folder;
    private final JsonNode expected;
    private final int[] tokens;
    private final float[][] states;

    HydraPlusPlusReferenceTest() throws IOException {
        folder =
                Path.of(System.getProperty("outrider.root", ".."))
                        .resolve("drafter-hydra-plus-plus/src/test/resources/reference");
        expected = new ObjectMapper().readTree(folder.resolve("expected.json").toFile());
        tokens = expected.path("tokens").valueStream().mapToInt(JsonNode::intValue).toArray();
        states = floats(expected.path("states"));
    }

    /// @param atOnce states that are read before the state of the prefix layer is asked for
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 6})
    void thePrefixLayerComputesTheReference(int atOnce) {
        float[][] prefix = floats(expected.path("prefix"));
        try (var drafter = open();
                var reader = drafter.heads().reader(tokens.length)) {
            for (int place = 0; place < states.length; place++) {
                reader.read(new States(states), place, tokens[place + 1]);
                if ((place + 1) % atOnce == 0) {
                    assertNear(reader.state().orElseThrow(), prefix[place]);
                }
            }
        }
    }

    @Test
    void theHeadsComputeTheReference() {
        float[][] logits = floats(expected.path("logits"));
        int[] drafted =
                expected.path("drafted").valueStream().mapToInt(JsonNode::intValue).toArray();
        try (var drafter = open();
                var reader = drafter.heads().reader(tokens.length)) {
            var heads = drafter.heads();
            for (int place = 0; place < states.length; place++) {
                reader.read(new States(states), place, tokens[place + 1]);
            }
            var state = List.of(heads.start(reader.state().orElseThrow()));
            state = heads.after(state, new int[] {tokens[tokens.length - 1]});
            for (int head = 0; head < logits.length; head++) {
                var found = new float[heads.vocabulary()];
                heads.logits(head, state, found);
                assertNear(found, logits[head]);
                if (head < drafted.length) {
                    state = heads.after(state, new int[] {drafted[head]});
                }
            }
        }
    }

    private SequenceDrafter open() {
        return (SequenceDrafter) Heads.drafter(folder, new TreePlan.Chain(3), target());
    }

    /// A target that has only embeddings, which the file has too.
    private TargetModel target() {
        float[] table;
        try (var tensors = new Checkpoint(folder).openTensors()) {
            table = tensors.tensor("input_embed_fn.weight").toFloats();
        }
        int hidden = states[0].length;
        int vocabulary = table.length / hidden;
        var memory = MemorySegment.ofArray(table);
        var other = TableTarget.of(TableModel.random(vocabulary, DistributionStyle.DENSE, 1));
        var description =
                new TargetDescription(
                        "reference", "test", vocabulary, hidden, 1, 64, 0, Set.of(), "00");
        var shared = new SharedWeights(vocabulary, hidden, memory, memory);
        return new Embeddings(other, description, shared);
    }

    private record Embeddings(
            TargetModel target, TargetDescription description, SharedWeights shared)
            implements ForwardingTarget {
        @Override
        public <T> Optional<T> capability(Class<T> type) {
            return type.isInstance(shared) ? Optional.of(type.cast(shared)) : Optional.empty();
        }
    }

    @SuppressWarnings("ArrayRecordComponent")
    private record States(float[][] rows) implements HiddenStates {
        @Override
        public int size() {
            return rows.length;
        }

        @Override
        public MemorySegment hidden(HiddenState which, int index) {
            return MemorySegment.ofArray(rows[index]);
        }

        @Override
        public void close() {}
    }

    private static void assertNear(float[] found, float[] wanted) {
        assertThat(found).hasSameSizeAs(wanted);
        for (int index = 0; index < wanted.length; index++) {
            assertThat(Math.abs(found[index] - wanted[index]))
                    .as("%s, expected %s", Arrays.toString(found), Arrays.toString(wanted))
                    .isLessThan(TOLERANCE);
        }
    }

    private static float[][] floats(JsonNode rows) {
        var floats = new float[rows.size()][];
        for (int row = 0; row < floats.length; row++) {
            floats[row] = new float[rows.path(row).size()];
            for (int index = 0; index < floats[row].length; index++) {
                floats[row][index] = (float) rows.path(row).path(index).doubleValue();
            }
        }
        return floats;
    }
}
