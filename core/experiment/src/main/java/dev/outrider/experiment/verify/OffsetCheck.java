package dev.outrider.experiment.verify;

import dev.outrider.engine.acceptance.GreedyRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.experiment.run.Prompt;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.tree.TokenTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Drafts along the target's greedy text, and compares every draft with it. A round is one of plain greedy decoding, so a draft
/// begins after the first wrong guess of the one before it, and the text is the target's own for every drafter.
///
/// @param target  writes the text; not closed here
/// @param drafter makes the guesses; not closed here
/// @param tokens  most tokens written after a prompt
public record OffsetCheck(TargetModel target, Drafter drafter, int tokens) {
    private static final int FEWEST = 40;

    /// Reads the texts after some prompts.
    ///
    /// @throws OutriderException DATA_INVALID if too few guesses can be compared; what target and drafter throw
    public OffsetAgreement after(List<Prompt> prompts) {
        var agreement = new OffsetAgreement();
        for (int index = 0; index < prompts.size(); index++) {
            var request =
                    prompts.get(index).request(tokens, SamplingPolicy.argmax(), List.of(), false);
            read(request, RandomnessSource.of(new KeyedRandomStreams(0, index)), agreement);
        }
        if (agreement.counted() < FEWEST) {
            throw ErrorCode.DATA_INVALID.error(
                    "the drafter made only %d guesses that can be compared with what the target writes after %d prompts; expected at least %d"
                            .formatted(agreement.counted(), prompts.size(), FEWEST),
                    "Give prompts that the target continues at more length.");
        }
        return agreement;
    }

    /// A draft and its place.
    ///
    /// @param emitted tokens that were written before it
    private record Drafted(int emitted, TokenTree tree) {}

    private void read(
            DecodeRequest request, RandomnessSource randomness, OffsetAgreement agreement) {
        var drafts = new ArrayList<Drafted>();
        var emitted = new int[1];
        var limit = FixedLength.drafterLimit();
        var decoder =
                new Decoder(target, Optional.of(drafter), new GreedyRule(), limit, true, () -> 0);
        var generation =
                decoder.decode(
                        request,
                        randomness,
                        event -> {
                            if (event instanceof DecodeEvent.RoundCompleted round) {
                                drafts.add(new Drafted(emitted[0], round.draft().tree()));
                                emitted[0] += round.emitted();
                            }
                        },
                        () -> false);
        int[] text =
                IntStream.concat(
                                Arrays.stream(request.prompt()), Arrays.stream(generation.tokens()))
                        .toArray();
        int root = request.prompt().length - 1;
        drafts.forEach(each -> agreement.add(text, root + each.emitted(), best(each.tree())));
    }

    /// Returns the guesses of a chain; for a tree, the first guess of every level, which is the best.
    private static int[] best(TokenTree tree) {
        var guesses = IntStream.builder();
        int node = 0;
        for (int[] below = tree.candidates(node); below.length > 0; below = tree.candidates(node)) {
            node = below[0];
            guesses.add(tree.token(node));
        }
        return guesses.build().toArray();
    }
}
