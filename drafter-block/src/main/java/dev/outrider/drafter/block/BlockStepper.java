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

/// One round's guesses: the backbone and the head run once, in [#root]; a step reads a slot, and with a Markov head adds
/// the bias of the tokens before it. The guess at depth d + 1 is made from slot `first + d`.
///
/// Confined to one thread.
final class BlockStepper implements DraftStepper {
    private static final Chance ALWAYS = new Chance(1, true);

    private final BlockDrafter draft;
    private final KvCache cache;
    private final int root;
    private final int depth;
    private final int hiddenSize;
    private final int width;
    private float[] states = new float[0];
    private float[] logits = new float[0];

    /// Every row that was run except the root's.
    private final List<Row> rows = new ArrayList<>();

    private Row rootRow = new Row(new float[0], 1);
    private final double rowCost;

    /// @param cache    the context up to the root
    /// @param root     the last committed token
    /// @param depth    most guesses in a row, at most the block's
    /// @param rowCost  least chance of acceptance with which a guess is worth its row
    BlockStepper(BlockDrafter draft, KvCache cache, int root, int depth, double rowCost) {
        this.draft = draft;
        this.cache = cache;
        this.root = root;
        this.depth = depth;
        this.rowCost = rowCost;
        var config = draft.backbone().config();
        hiddenSize = config.hiddenSize();
        width = config.fusion().orElseThrow().headSize();
    }

    /// Returns what a slot's logits depend on: with a Markov head the token before it, or all of them if that head has a
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
        var guesses = guesses(0, new int[] {root}, List.of(new Row(beforeFirst(), 1)));
        rootRow = guesses.rows().getFirst();
        return guesses;
    }

    @Override
    public LogitRows step(List<StepInput> nodes) {
        int[] tokens = nodes.stream().mapToInt(StepInput::token).toArray();
        var before = nodes.stream().map(this::rowBefore).toList();
        var guesses = guesses(nodes.getFirst().depth(), tokens, before);
        rows.addAll(guesses.rows());
        return guesses;
    }

    /// Returns the Markov state that the first guess reads: the state after the anchor's slot if that slot guesses nothing,
    /// because the head passes it too.
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

    private Row rowBefore(StepInput node) {
        return node.parentRow() == StepInput.ROOT ? rootRow : rows.get(node.parentRow());
    }

    /// Returns the logits after tokens of one depth.
    ///
    /// @param after  depth of the tokens; 0 for the root
    /// @param before rows of the tokens before them
    private Guesses guesses(int after, int[] tokens, List<Row> before) {
        int slot = draft.slots().first() + after;
        var chances = chances(tokens, before, slot);
        var markov = before.stream().map(Row::markov).toList();
        var segments =
                Collections.nCopies(
                        tokens.length,
                        MemorySegment.ofArray(logits).asSlice(after * rowBytes(), rowBytes()));
        if (draft.markov().isPresent()) {
            var parts = draft.markov().get().parts(tokens, markov, hidden(slot));
            markov = parts.stream().map(MarkovHead.Part::state).toList();
            segments = biased(after, parts);
        }
        var found = new ArrayList<Row>();
        for (int row = 0; row < tokens.length; row++) {
            found.add(new Row(markov.get(row), chances[row].ofAll()));
        }
        return new Guesses(segments, found, chances);
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

    /// Returns what the confidence head predicts of the guesses that follow tokens. A draft ends before a guess whose own
    /// acceptance is less likely than the threshold, or that is, with all guesses before it, less likely than its row
    /// costs. The head reads the tokens before a guess, never the guess (docs/reference/algorithms.md I1). Without a head,
    /// or with neither limit, drafts never end here.
    ///
    /// @param before of each token, the row of the guesses up to it
    /// @param slot   whose guesses
    private Chance[] chances(int[] tokens, List<Row> before, int slot) {
        var chances = new Chance[tokens.length];
        double threshold = draft.acceptanceThreshold();
        if (draft.confidence().isEmpty() || threshold == 0 && rowCost == 0) {
            Arrays.fill(chances, ALWAYS);
            return chances;
        }
        var head = draft.confidence().get();
        for (int row = 0; row < tokens.length; row++) {
            double own = head.acceptance(states, slot, hiddenSize, draft.markov(), tokens[row]);
            double all = own * before.get(row).chance();
            chances[row] = new Chance(all, own >= threshold && all >= rowCost);
        }
        return chances;
    }

    /// What is predicted of a guess.
    ///
    /// @param ofAll    chance that it and all guesses before it are accepted
    /// @param suffices whether it is made
    private record Chance(double ofAll, boolean suffices) {}

    @SuppressWarnings("ArrayRecordComponent")
    /// The state that a token passes on to the tokens after it.
    ///
    /// @param markov the Markov head's state
    /// @param chance that the guess after it is accepted, and every guess before
    record Row(float[] markov, double chance) {}

    /// Logits of successors, and what the confidence head predicts of guesses from them.
    @SuppressWarnings("ArrayRecordComponent")
    private record Guesses(List<MemorySegment> segments, List<Row> rows, Chance[] chances)
            implements LogitRows {
        @Override
        public MemorySegment row(int index) {
            return segments.get(index);
        }

        @Override
        public boolean guessesFrom(int index) {
            return chances[index].suffices();
        }
    }
}
