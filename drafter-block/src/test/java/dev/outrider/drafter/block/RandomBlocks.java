package dev.outrider.drafter.block;

import dev.outrider.drafter.block.BlockLayout.Slots;
import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.Drafting;
import dev.outrider.nn.network.HeadPart;
import dev.outrider.nn.network.LinearWeights;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.vector.VectorLinear;
import dev.outrider.spi.target.HiddenState;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// Block drafters over a random [TableBackbone], with random heads of one kind beside it.
///
/// @param vocabulary tokens of target and drafter
/// @param heads      kind of the Markov head; the confidence head is always there
record RandomBlocks(int vocabulary, Heads heads) {
    static final int SLOTS = 4;
    private static final int RANK = 2;

    /// The heads beside the backbone.
    enum Heads {
        NONE,
        VANILLA,
        GATED,
        RNN;

        Optional<HeadForm.Type> type() {
            return this == NONE ? Optional.empty() : Optional.of(HeadForm.Type.valueOf(name()));
        }
    }

    /// A drafter over the backbone of a seed.
    BlockDrafter drafter(Drafting drafting, double threshold, int seed) {
        return drafter(backbone(seed), drafting, threshold, seed);
    }

    BlockDrafter drafter(TableBackbone backbone, Drafting drafting, double threshold, int seed) {
        var random = new Random(seed);
        var markov = markov(random);
        int rank = heads == Heads.NONE ? 0 : RANK;
        var confidence = new ConfidenceHead(numbers(random, TableBackbone.HIDDEN + rank), 0);
        return new BlockDrafter(
                backbone,
                markov,
                Optional.of(confidence),
                slots(),
                List.of(new HiddenState.AfterLayer(1)),
                new DraftVocabulary(vocabulary, vocabulary),
                drafting,
                threshold,
                0,
                "");
    }

    /// Returns a drafter's logits of a chain's next token: a slot sees the tokens before the anchor and the anchor; a Markov head
    /// sees the token before the slot too.
    ///
    /// @param prompt  its last token is the anchor
    /// @param drafted the chain so far
    float[] logits(int seed, int[] prompt, int[] drafted) {
        var logits = unbiased(seed, prompt, drafted);
        try (var markov = markov(new Random(seed)).orElse(null)) {
            if (markov != null) {
                var memory = new float[RANK];
                int before = prompt[prompt.length - 1];
                for (int depth = 0; depth < drafted.length; depth++) {
                    memory = part(markov, before, memory, state(seed, prompt, depth)).state();
                    before = drafted[depth];
                }
                var state = state(seed, prompt, drafted.length);
                markov.add(List.of(part(markov, before, memory, state)), logits);
            }
        }
        return logits;
    }

    /// Returns the same without a Markov head.
    float[] unbiased(int seed, int[] prompt, int[] drafted) {
        var logits = new float[vocabulary];
        backbone(seed).head(state(seed, prompt, drafted.length), 1, logits);
        return logits;
    }

    private static MarkovHead.Part part(
            MarkovHead markov, int before, float[] memory, float[] state) {
        return markov.parts(new int[] {before}, List.of(memory), state).getFirst();
    }

    private float[] state(int seed, int[] prompt, int depth) {
        var context =
                Arrays.stream(prompt, 0, prompt.length - 1)
                        .mapToObj(token -> (float) token)
                        .toList();
        var states = backbone(seed).states(context, prompt[prompt.length - 1], SLOTS);
        int slot = slots().first() + depth;
        return Arrays.copyOfRange(
                states, slot * TableBackbone.HIDDEN, (slot + 1) * TableBackbone.HIDDEN);
    }

    private TableBackbone backbone(int seed) {
        return new TableBackbone(vocabulary, 200 + seed, 1.2);
    }

    private Slots slots() {
        return new Slots(SLOTS, 2, heads != Heads.GATED);
    }

    private Optional<MarkovHead> markov(Random random) {
        return heads.type().map(type -> markov(type, random));
    }

    private MarkovHead markov(HeadForm.Type type, Random random) {
        int hidden = TableBackbone.HIDDEN;
        var mixing =
                switch (type) {
                    case VANILLA -> Optional.<HeadPart>empty();
                    case GATED -> Optional.of(linear(random, RANK, hidden + RANK));
                    case RNN -> Optional.of(linear(random, 3 * RANK, 2 * RANK + hidden));
                };
        return new MarkovHead(
                new HeadForm.Markov(RANK, type),
                hidden,
                vocabulary,
                numbers(random, vocabulary * RANK),
                linear(random, vocabulary, RANK),
                mixing);
    }

    private static HeadPart linear(Random random, int outputs, int columns) {
        return VectorLinear.of(
                new LinearWeights(
                        "test",
                        numbers(random, outputs * columns),
                        outputs,
                        columns,
                        Optional.empty()),
                Precision.F32);
    }

    private static float[] numbers(Random random, int count) {
        var numbers = new float[count];
        for (int index = 0; index < count; index++) {
            numbers[index] = (float) random.nextGaussian();
        }
        return numbers;
    }
}
