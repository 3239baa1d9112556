package dev.outrider.drafter.block;

import dev.outrider.drafting.DraftStepper;
import dev.outrider.drafting.StepInput;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.KvCache;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// One round's guesses: the backbone and the head run once, at the start; a step reads a slot, and with a Markov head adds
/// the bias of the tokens before it. The guess at depth d + 1 is made from slot `first + d`.
///
/// Confined to one thread.
final class BlockStepper implements DraftStepper {
    private final BlockDrafter draft;
    private final int root;
    private final int hiddenSize;
    private final int width;
    private final float[] states;
    private final float[] logits;

    /// The Markov head's state after every row that was run except the root's.
    private final List<float[]> rows = new ArrayList<>();

    private float[] rootRow = new float[0];

    /// @param cache    the context, up to the root together with `features`
    /// @param root     the last committed token
    /// @param depth    most guesses in a chain, at most the block's
    BlockStepper(
            BlockDrafter draft,
            KvCache cache,
            Optional<FeatureRows> features,
            int root,
            int depth) {
        this.draft = draft;
        this.root = root;
        var config = draft.backbone().config();
        hiddenSize = config.hiddenSize();
        width = config.fusion().orElseThrow().headSize();
        logits = new float[depth * width];
        var slots = draft.slots();
        states =
                draft.backbone().states(cache, features, slots.tokens(root), slots.first(), logits);
    }

    /// Returns what a slot's logits depend on: with a Markov head the token before it, or all tokens before it if that head has a
    /// state; without one no token.
    @Override
    public Dependence dependence() {
        return draft.markov()
                .map(head ->
                        switch (head.type()) {
                            case VANILLA, GATED -> Dependence.TOKEN;
                            case RNN -> Dependence.PATH;
                        })
                .orElse(Dependence.DEPTH);
    }

    @Override
    public LogitRows root() {
        var guesses = guesses(0, new int[] {root}, List.of(beforeFirst()));
        rootRow = guesses.markov().getFirst();
        return guesses;
    }

    @Override
    public LogitRows step(List<StepInput> nodes) {
        int[] tokens = nodes.stream().mapToInt(StepInput::token).toArray();
        var before = nodes.stream().map(this::rowBefore).toList();
        var guesses = guesses(nodes.getFirst().depth(), tokens, before);
        rows.addAll(guesses.markov());
        return guesses;
    }

    /// Returns the Markov state that the first guess reads. If the anchor's slot guesses nothing, it is the state after that slot,
    /// because the head runs over it too.
    private float[] beforeFirst() {
        if (draft.markov().isEmpty()) {
            return new float[0];
        }
        var head = draft.markov().get();
        var zeros = new float[head.rank()];
        return head.type() == HeadForm.Type.RNN && draft.slots().first() > 0
                ? head.parts(new int[] {root}, List.of(zeros), hidden(0)).getFirst().state()
                : zeros;
    }

    private float[] rowBefore(StepInput node) {
        return node.parentRow() == StepInput.ROOT ? rootRow : rows.get(node.parentRow());
    }

    /// Returns the logits after tokens of one depth.
    ///
    /// @param after  depth of the tokens; 0 for the root
    /// @param markov states after the tokens before them
    private Guesses guesses(int after, int[] tokens, List<float[]> markov) {
        int slot = draft.slots().first() + after;
        var states = markov;
        var segments =
                Collections.nCopies(
                        tokens.length,
                        MemorySegment.ofArray(logits).asSlice(after * rowBytes(), rowBytes()));
        if (draft.markov().isPresent()) {
            var parts = draft.markov().get().parts(tokens, markov, hidden(slot));
            states = parts.stream().map(MarkovHead.Part::state).toList();
            segments = biased(after, parts);
        }
        return new Guesses(segments, states, worthwhile(tokens, slot));
    }

    /// Returns a slot's logits with the bias of each of some tokens.
    private List<MemorySegment> biased(int after, List<MarkovHead.Part> parts) {
        var own = new float[parts.size() * width];
        for (int row = 0; row < parts.size(); row++) {
            System.arraycopy(logits, after * width, own, row * width, width);
        }
        draft.markov().orElseThrow().add(parts, own);
        var memory = MemorySegment.ofArray(own);
        var segments = new ArrayList<MemorySegment>();
        for (int row = 0; row < parts.size(); row++) {
            segments.add(memory.asSlice(row * rowBytes(), rowBytes()));
        }
        return segments;
    }

    private float[] hidden(int slot) {
        return Arrays.copyOfRange(states, slot * hiddenSize, (slot + 1) * hiddenSize);
    }

    private long rowBytes() {
        return width * ValueLayout.JAVA_FLOAT.byteSize();
    }

    /// Returns whether guesses follow tokens: not if the confidence head predicts an acceptance below the
    /// threshold. The head reads the tokens before a guess, never the guess (docs/reference/algorithms.md I1). Without a head, or
    /// without a threshold, drafts never end here.
    ///
    /// @param slot slot of the guesses
    private List<Boolean> worthwhile(int[] tokens, int slot) {
        double threshold = draft.acceptanceThreshold();
        if (draft.confidence().isEmpty() || threshold == 0) {
            return Collections.nCopies(tokens.length, true);
        }
        var head = draft.confidence().get();
        return Arrays.stream(tokens)
                .mapToObj(token ->
                        head.acceptance(states, slot, hiddenSize, draft.markov(), token)
                                >= threshold)
                .toList();
    }

    /// Logits of successors.
    ///
    /// @param markov     the states that tokens pass on to the tokens after them
    /// @param worthwhile whether guesses follow
    private record Guesses(
            List<MemorySegment> segments, List<float[]> markov, List<Boolean> worthwhile)
            implements LogitRows {
        @Override
        public MemorySegment row(int index) {
            return segments.get(index);
        }

        @Override
        public boolean guessesFrom(int index) {
            return worthwhile.get(index);
        }
    }
}
