package dev.outrider.drafter.block;

import dev.outrider.drafting.DraftStepper;
import dev.outrider.drafting.StepInput;
import dev.outrider.nn.network.KvCache;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/// One round's guesses: the backbone and the head run once, in [#root]; a step reads a slot, and with a Markov head adds what the
/// tokens before it say. The guess at depth d + 1 is slot `first + d`'s.
///
/// Confined to one thread.
final class BlockStepper implements DraftStepper {
    private final BlockDraft draft;
    private final KvCache cache;
    private final int root;
    private final int depth;
    private final int hiddenSize;
    private final int width;
    private float[] states = new float[0];
    private float[] logits = new float[0];

    /// The Markov head's state of every row that was run, the root's apart.
    private final List<float[]> rows = new ArrayList<>();

    private float[] rootState = new float[0];

    /// @param cache the context up to the root
    /// @param root  the last committed token
    /// @param depth most guesses in a row, at most the block's
    BlockStepper(BlockDraft draft, KvCache cache, int root, int depth) {
        this.draft = draft;
        this.cache = cache;
        this.root = root;
        this.depth = depth;
        var config = draft.backbone().config();
        hiddenSize = config.hiddenSize();
        width = config.fusion().orElseThrow().headSize();
    }

    /// With a Markov head a slot's logits depend on the token before it, or on all of them if that head has a state; without one
    /// on none.
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
        states = draft.backbone().states(cache, draft.slots().tokens(root));
        logits = new float[depth * width];
        draft.backbone()
                .head(
                        Arrays.copyOfRange(
                                states,
                                draft.slots().first() * hiddenSize,
                                (draft.slots().first() + depth) * hiddenSize),
                        depth,
                        logits);
        rootState = beforeFirst();
        var guesses = guesses(0, new int[] {root}, List.of(rootState));
        rootState = guesses.states().getFirst();
        return guesses;
    }

    @Override
    public LogitRows step(List<StepInput> nodes) {
        int[] tokens = nodes.stream().mapToInt(StepInput::token).toArray();
        var before = nodes.stream().map(this::stateOf).toList();
        var guesses = guesses(nodes.getFirst().depth(), tokens, before);
        rows.addAll(guesses.states());
        return guesses;
    }

    /// The Markov state that the first guess reads: after the anchor's slot, if that guesses nothing, for the head passes it too.
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

    private float[] stateOf(StepInput node) {
        return node.parentRow() == StepInput.ROOT ? rootState : rows.get(node.parentRow());
    }

    /// What follows tokens at a depth.
    ///
    /// @param after  depth of the tokens; 0 for the root
    /// @param before Markov states that the slot reads, one a token
    private Guesses guesses(int after, int[] tokens, List<float[]> before) {
        int slot = draft.slots().first() + after;
        if (draft.markov().isEmpty()) {
            var row = MemorySegment.ofArray(logits).asSlice(after * rowBytes(), rowBytes());
            return new Guesses(
                    Collections.nCopies(tokens.length, row),
                    Collections.nCopies(tokens.length, rootState),
                    confident(slot, tokens));
        }
        var head = draft.markov().get();
        var parts = head.parts(tokens, before, hidden(slot));
        var own = new float[tokens.length * width];
        for (int row = 0; row < tokens.length; row++) {
            System.arraycopy(logits, after * width, own, row * width, width);
        }
        head.add(parts, own);
        var memory = MemorySegment.ofArray(own);
        var segments = new ArrayList<MemorySegment>();
        for (int row = 0; row < tokens.length; row++) {
            segments.add(memory.asSlice(row * rowBytes(), rowBytes()));
        }
        return new Guesses(
                segments,
                parts.stream().map(MarkovHead.Part::state).toList(),
                confident(slot, tokens));
    }

    private boolean[] confident(int slot, int... before) {
        var confident = new boolean[before.length];
        double threshold = draft.drafting().acceptanceThreshold();
        for (int row = 0; row < before.length; row++) {
            int token = before[row];
            confident[row] =
                    threshold == 0
                            || draft.confidence()
                                    .map(head ->
                                            head.acceptance(
                                                            states,
                                                            slot,
                                                            hiddenSize,
                                                            draft.markov(),
                                                            token)
                                                    >= threshold)
                                    .orElse(true);
        }
        return confident;
    }

    private float[] hidden(int slot) {
        return Arrays.copyOfRange(states, slot * hiddenSize, (slot + 1) * hiddenSize);
    }

    private long rowBytes() {
        return width * ValueLayout.JAVA_FLOAT.byteSize();
    }

    /// Logits of successors, and what the confidence head thinks of guessing from them.
    @SuppressWarnings("ArrayRecordComponent")
    private record Guesses(List<MemorySegment> segments, List<float[]> states, boolean[] confident)
            implements LogitRows {
        @Override
        public MemorySegment row(int index) {
            return segments.get(index);
        }

        @Override
        public boolean guessesFrom(int index) {
            return confident[index];
        }
    }
}
