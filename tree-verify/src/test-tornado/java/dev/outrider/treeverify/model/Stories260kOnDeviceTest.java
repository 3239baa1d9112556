package dev.outrider.treeverify.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.treeverify.device.RequiresDevice;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A public checkpoint continues a prompt on the device as in its authors' independent implementation, token by token and as an
/// accepted chain.
@RequiresDevice
@Tag("quick")
class Stories260kOnDeviceTest {
    private static final int DRAFTED = 12;

    @Test
    void continuesThePromptAsTheReferenceDid() throws IOException {
        var checkpoint = Checkpoints.shared("stories260K");
        var reference = new ObjectMapper().readTree(checkpoint.resolve("reference.json").toFile());
        int[] prompt = ints(reference.get("prompt_ids"));
        int[] expected = ints(reference.get("greedy_ids_after_prompt"));
        int root = prompt[prompt.length - 1];
        int[] committed = Arrays.copyOf(prompt, prompt.length - 1);
        try (var target = Checkpoints.open(checkpoint)) {
            try (var session = target.open(SessionRequest.ofCapacity(200))) {
                session.prefill(committed).close();
                try (var scores = session.score(TokenTree.rootOnly(root))) {
                    for (var pair : reference.get("next_logits_top5")) {
                        assertThat(
                                        scores.logits(0)
                                                .getAtIndex(
                                                        ValueLayout.JAVA_FLOAT,
                                                        pair.get(0).asInt()))
                                .isCloseTo((float) pair.get(1).asDouble(), within(1e-4f));
                    }
                }
                assertThat(Checkpoints.greedy(session, root, expected.length)).isEqualTo(expected);
            }
            try (var session = target.open(SessionRequest.ofCapacity(200))) {
                session.prefill(committed).close();
                var chain = TokenTree.chain(root, Arrays.copyOf(expected, DRAFTED));
                try (var scores = session.score(chain)) {
                    for (int node = 0; node <= DRAFTED; node++) {
                        assertThat(scores.argmax(node)).isEqualTo(expected[node]);
                    }
                }
                session.commit(
                        new Verdict(
                                IntStream.rangeClosed(1, DRAFTED).boxed().toList(),
                                expected[DRAFTED],
                                Verdict.Origin.BONUS));
                assertThat(Checkpoints.greedy(session, expected[DRAFTED], 10))
                        .isEqualTo(Arrays.copyOfRange(expected, DRAFTED + 1, DRAFTED + 11));
            }
        }
    }

    private static int[] ints(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).mapToInt(JsonNode::asInt).toArray();
    }
}
