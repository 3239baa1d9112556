package dev.outrider.testkit;

import static dev.outrider.testkit.Expect.assertThat;
import static dev.outrider.testkit.Expect.assumeFalse;
import static dev.outrider.testkit.Expect.assumeTrue;

import dev.outrider.engine.decode.BatchDecoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.target.TargetModel;
import java.util.ArrayList;
import java.util.List;

/// The same checks with a source.
abstract class DrafterSources extends DrafterOutputs {
    private static final int SHORT = 8;

    @Check
    void besideASourceGreedyOutputEqualsPlainDecoding() {
        var target = sourced();
        for (int prompt = 0; prompt < PROMPTS; prompt++) {
            assertEqualsPlain(target, request(target, prompt, ARGMAX), FixedLength.drafterLimit());
        }
    }

    @Check
    void besideASourceEveryTokenFollowsTheTargetsDistribution() {
        assertEveryTokenFollows(sourced());
    }

    @Check
    void inABatchEverySequenceReadsItsOwnSource() {
        var target = sourced();
        var items = new ArrayList<BatchDecoder.Item>();
        var together = new ArrayList<List<Draft>>();
        for (int prompt = 0; prompt < COMPANY; prompt++) {
            var drafts = new ArrayList<Draft>();
            together.add(drafts);
            items.add(
                    new BatchDecoder.Item(
                            request(target, prompt, WARM), randomness(prompt), noting(drafts)));
        }
        new BatchDecoder(lossless(target), COMPANY).decode(items, () -> false);
        for (int prompt = 0; prompt < COMPANY; prompt++) {
            var item = items.get(prompt);
            var alone = new ArrayList<Draft>();
            lossless(target).decode(item.request(), item.randomness(), noting(alone), () -> false);
            var batched = together.get(prompt);
            for (int round = 0; round < Math.min(batched.size(), alone.size()); round++) {
                Drafts.assertSame(
                        batched.get(round),
                        alone.get(round),
                        distributionTolerance(),
                        "of prompt %d in round %d of a batch, compared with alone"
                                .formatted(prompt, round));
            }
            assertThat(batched.size())
                    .describedAs("rounds of prompt %d of a batch, compared with alone", prompt)
                    .isEqualTo(alone.size());
        }
    }

    private static DecodeListener noting(List<Draft> drafts) {
        return event -> {
            if (event instanceof DecodeEvent.RoundCompleted round) {
                drafts.add(round.draft());
            }
        };
    }

    /// Returns the target, or a table with its vocabulary that reads sources.
    private TargetModel sourced() {
        if (target().description().sources().isPresent()) {
            return target();
        }
        assumeFalse(drafter().traits().needsHiddenStates(), "this drafter reads hidden states");
        int vocabulary = target().description().vocabularySize();
        var table =
                TableTarget.reading(
                        TableModel.random(vocabulary, DistributionStyle.DENSE, vocabulary));
        try {
            drafter().open(new DraftRequest(SHORT, WARM, source(table, 0))).close();
        } catch (OutriderException e) {
            assumeTrue(false, "this drafter refuses sources: " + e.getMessage());
        }
        return table;
    }
}
