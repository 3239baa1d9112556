package dev.outrider.treeverify.verdict;

/// Where a round's question lies in the two arrays that are copied to the device with it.
///
/// The integers: a head of [#HEAD], then sections of `maxRows` each, then where each node's entries of q begin, then the
/// entries' tokens. The floats: [#SCALE] and what [Truncation] says, then from [#COINS] on sections of `maxRows` each, then the
/// entries' probabilities.
final class VerdictLayout {
    /// Nodes of this round; 0 where nothing is to be decided.
    static final int ROWS = 0;

    /// 1 if tokens are drawn, 0 if the argmax is taken.
    static final int DRAWS = 1;

    /// 1 if the draft is a chain that is tested token by token.
    static final int CHAIN = 2;

    /// [Truncation#topK].
    static final int TOP_K = 3;

    /// Integers before the first section.
    static final int HEAD = 4;

    /// Section: token of a node.
    static final int TOKEN = 0;

    /// Section: parent of a node.
    static final int PARENT = 1;

    /// Section: 1 if a node may be accepted.
    static final int CANDIDATE = 2;

    /// Section: token that a draw at the node leaves out.
    static final int REMOVED = 3;

    private static final int SECTIONS = 4;

    /// In the floats: what logits are multiplied by.
    static final int SCALE = 0;

    /// In the floats: [Truncation#topP].
    static final int TOP_P = 1;

    /// In the floats: [Truncation#reach].
    static final int REACH = 2;

    /// Floats before the first section of uniforms.
    static final int COINS = 3;

    /// Section of uniforms: for the test of node i + 1 at index i.
    static final int ACCEPT = 0;

    /// Section of uniforms: for the token after each node.
    static final int DRAW = 1;

    /// Section of the floats behind the uniforms: q of the token of node i + 1 at index i, 1 where the token was not drawn.
    static final int DRAFTED = 2;

    /// Section of the floats: what 24 bits leave of the uniform for the token after each node.
    static final int FRACTION = 3;

    /// What a fraction of 1 stands for.
    static final float LAST_BIT = 1f / (1 << 24);

    private static final int FLOAT_SECTIONS = 4;

    private VerdictLayout() {}

    /// How many integers there are.
    static int integers(int maxRows) {
        return entryTokens(maxRows) + SparseLaws.CAPACITY;
    }

    /// How many floats there are.
    static int floats(int maxRows) {
        return entryWeights(maxRows) + SparseLaws.CAPACITY;
    }

    /// First index of a section of the integers.
    static int section(int section, int maxRows) {
        return HEAD + section * maxRows;
    }

    /// First index of the places in the list of entries at which the nodes' begin: one for each node, and the end.
    static int entryStarts(int maxRows) {
        return section(SECTIONS, maxRows);
    }

    /// First index of the entries' tokens.
    static int entryTokens(int maxRows) {
        return entryStarts(maxRows) + maxRows + 1;
    }

    /// First index of the entries' probabilities.
    static int entryWeights(int maxRows) {
        return COINS + FLOAT_SECTIONS * maxRows;
    }
}
