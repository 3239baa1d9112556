package dev.outrider.drafter.hydraplusplus;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.engine.acceptance.GreedyRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The shipped head guesses held-out texts, one of each kind, as well as it should: far better than one that was read wrongly.
class ShippedHeadTest {
    private static final int KINDS = 6;
    private static final int TOKENS = 48;
    private static final double FLOOR = 2.3;

    @Test
    void itGuessesHeldOutTextsWell() throws IOException {
        var prompts = Files.readAllLines(Heads.ROOT.resolve("configs/prompts/held-out.jsonl"));
        var models = Heads.ROOT.resolve("models");
        int[] counts = new int[2];
        try (var target = Heads.target(models.resolve("demo-target"));
                var drafter =
                        Heads.drafter(
                                models.resolve("demo-hydra-plus-plus"),
                                new TreePlan.Chain(4),
                                target)) {
            var decoder =
                    new Decoder(
                            target,
                            Optional.of(drafter),
                            new GreedyRule(),
                            FixedLength.drafterLimit(),
                            true,
                            () -> 0);
            for (int kind = 0; kind < KINDS; kind++) {
                var line = prompts.get(kind * (prompts.size() / KINDS));
                var text = new ObjectMapper().readTree(line).path("prompt").asText();
                int[] prompt = target.tokenizer().encode(text, true);
                decoder.decode(
                        DecodeRequest.of(prompt, TOKENS, SamplingPolicy.argmax()),
                        RandomnessSource.of(new KeyedRandomStreams(1, kind)),
                        event -> {
                            if (event instanceof DecodeEvent.RoundCompleted round) {
                                counts[0] += round.emitted();
                                counts[1]++;
                            }
                        },
                        () -> false);
            }
        }
        assertThat((double) counts[0] / counts[1]).as("tokens per round").isGreaterThan(FLOOR);
    }
}
