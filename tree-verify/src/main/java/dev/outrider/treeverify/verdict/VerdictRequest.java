package dev.outrider.treeverify.verdict;

import dev.outrider.spi.Coins;
import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftLaws;
import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.Selection.Independent;
import dev.outrider.spi.Selection.PointMass;
import dev.outrider.spi.Selection.WithoutReplacement;
import dev.outrider.spi.StreamRole;
import dev.outrider.spi.TokenTree;
import dev.outrider.spi.Verdict;
import dev.outrider.spi.Verdict.Origin;
import dev.outrider.spi.VerdictQuestion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/// One round's question to the device: the tree, the rule and the uniforms, as arrays of numbers.
///
/// Its arrays belong to it and must not be written to.
///
/// @param rule               how to decide
/// @param vocabulary         number of tokens V
/// @param inverseTemperature logits are multiplied by it
/// @param truncation         which tokens the policy removes from each law
/// @param tokens             token of each node; shape `[rows]`, node 0 the root
/// @param parents            parent of each node, -1 for the root; shape `[rows]`
/// @param candidate          1 for nodes that may be accepted; shape `[rows]`
/// @param removed            the token that a draw at this node leaves out, -1 for none; shape `[rows]`
/// @param acceptUniforms     for the test of node i + 1 at index i; shape `[rows]`
/// @param drawUniforms       for the token after each node, its first 24 bits; shape `[rows]`
/// @param drawFractions      what 24 bits leave of it, as a fraction of the last bit: many tokens have less probability than that
/// @param drafted            q of the token of node i + 1 at index i, 1 unless the chain was sampled; shape `[rows]`
/// @param draftLaws          q at each node with a child, without entries unless the chain was sampled
public record VerdictRequest(
        DeviceRule rule,
        int vocabulary,
        float inverseTemperature,
        Truncation truncation,
        int[] tokens,
        int[] parents,
        int[] candidate,
        int[] removed,
        float[] acceptUniforms,
        float[] drawUniforms,
        float[] drawFractions,
        float[] drafted,
        SparseLaws draftLaws) {
    /// In [#removed]: nothing is left out.
    public static final int NONE = -1;

    /// Position of the accepted length, the next token and the origin in a kernel's answer; the path follows.
    static final int LENGTH = 0;

    static final int NEXT = 1;
    static final int CORRECTED = 2;
    static final int PATH = 3;

    /// 24 bits: what a 32-bit float holds of a number below 1.
    private static final double UNIFORM_STEPS = 1 << 24;

    /// Number of nodes, the root included.
    public int rows() {
        return tokens.length;
    }

    /// Whether the device can decide under this policy: one whose law depends on the logits alone.
    public static boolean supports(SamplingPolicy policy) {
        return !policy.usesHistory();
    }

    /// The question in numbers, if the kernels in a pass can answer it: any that [VerdictQuestion.Rule] names, under a
    /// policy without history. Of a chain that was drawn from q, the tokens with positive q have to fit what is copied to the device.
    public static Optional<VerdictRequest> about(VerdictQuestion question, int vocabulary) {
        var draft = question.draft();
        var policy = question.policy();
        boolean drawn = supports(policy) && !policy.greedy();
        return switch (question.rule()) {
            case ARGMAX_WALK -> Optional.of(greedy(draft.tree(), vocabulary));
            case SAMPLED_WALK ->
                    drawn
                            ? Optional.of(
                                    oneHot(draft.tree(), vocabulary, policy, question.coins()))
                            : Optional.empty();
            case CHAIN_REJECTION ->
                    drawn && verifiedChain(draft.tree())
                            ? chain(draft, vocabulary, policy, question.coins())
                            : Optional.empty();
        };
    }

    private static boolean verifiedChain(TokenTree tree) {
        return tree.isChain() && IntStream.range(1, tree.size()).allMatch(tree::verified);
    }

    /// The question whose answer is the engine's greedy rule's.
    public static VerdictRequest greedy(TokenTree tree, int vocabulary) {
        return of(
                DeviceRule.GREEDY,
                SparseLaws.none(tree.size()),
                tree,
                vocabulary,
                SamplingPolicy.atTemperature(1),
                Optional.empty());
    }

    /// The question whose answer is the engine's one-hot rule's, with the same coins.
    ///
    /// @param policy one that [#supports] allows, not greedy
    public static VerdictRequest oneHot(
            TokenTree tree, int vocabulary, SamplingPolicy policy, Coins coins) {
        requireSupported(policy);
        return of(
                DeviceRule.ONE_HOT,
                SparseLaws.none(tree.size()),
                tree,
                vocabulary,
                policy,
                Optional.of(coins));
    }

    /// The question whose answer is that of the engine's rejection along a chain, with the same coins; empty if the laws it was
    /// drawn from cannot be sent.
    ///
    /// @param draft  a chain
    /// @param policy one that [#supports] allows, not greedy
    public static Optional<VerdictRequest> chain(
            Draft draft, int vocabulary, SamplingPolicy policy, Coins coins) {
        requireSupported(policy);
        if (!draft.tree().isChain()) {
            throw new IllegalArgumentException(
                    "the draft %s is not a chain".formatted(draft.tree()));
        }
        var rule = DeviceRule.chain(draft.selection());
        var tree = draft.tree();
        return switch (draft.selection()) {
            case PointMass() -> {
                var laws = SparseLaws.none(tree.size());
                var request = of(rule, laws, tree, vocabulary, policy, Optional.of(coins));
                request.removeGuesses();
                yield Optional.of(request);
            }
            case Independent(var laws) -> drawn(rule, laws, tree, vocabulary, policy, coins);
            case WithoutReplacement(var laws) -> drawn(rule, laws, tree, vocabulary, policy, coins);
        };
    }

    private static Optional<VerdictRequest> drawn(
            DeviceRule rule,
            DraftLaws laws,
            TokenTree tree,
            int vocabulary,
            SamplingPolicy policy,
            Coins coins) {
        return SparseLaws.of(laws, tree.size(), vocabulary)
                .map(sparse -> {
                    var request = of(rule, sparse, tree, vocabulary, policy, Optional.of(coins));
                    request.weighGuesses(laws);
                    return request;
                });
    }

    private static VerdictRequest of(
            DeviceRule rule,
            SparseLaws laws,
            TokenTree tree,
            int vocabulary,
            SamplingPolicy policy,
            Optional<Coins> coins) {
        int rows = tree.size();
        var candidate = new int[rows];
        var parents = new int[rows];
        var removed = new int[rows];
        var accept = new float[rows];
        var draw = new float[rows];
        var fractions = new float[rows];
        for (int node = 0; node < rows; node++) {
            candidate[node] = node > 0 && tree.verified(node) ? 1 : 0;
            parents[node] = tree.parent(node);
            removed[node] = NONE;
            if (coins.isPresent()) {
                boolean tested = tree.candidates(node).length > 0;
                var role = tested ? StreamRole.RESIDUAL : StreamRole.BONUS;
                double uniform = coins.get().uniform(role, node);
                draw[node] = truncated(uniform);
                fractions[node] = truncated((uniform - draw[node]) * UNIFORM_STEPS);
                if (rule.alongChain() && node + 1 < rows) {
                    accept[node] = truncated(coins.get().uniform(StreamRole.ACCEPT, node + 1));
                }
            }
        }
        var drafted = new float[rows];
        Arrays.fill(drafted, 1);
        return new VerdictRequest(
                rule,
                vocabulary,
                (float) (1 / policy.temperature()),
                Truncation.of(policy, vocabulary),
                tree.tokens(),
                parents,
                candidate,
                removed,
                accept,
                draw,
                fractions,
                drafted,
                laws);
    }

    /// Reads a kernel's answer.
    ///
    /// @param answer accepted length, next token, whether it corrects a guess, then the path
    public Verdict verdict(int[] answer) {
        var path = new ArrayList<Integer>(answer[LENGTH]);
        for (int index = 0; index < answer[LENGTH]; index++) {
            path.add(answer[PATH + index]);
        }
        return new Verdict(
                path, answer[NEXT], answer[CORRECTED] == 1 ? Origin.CORRECTION : Origin.BONUS);
    }

    /// Length of a kernel's answer.
    public static int answerLength(int rows) {
        return PATH + rows;
    }

    // Rounding to the nearest float could give 1, which no uniform is.
    private static float truncated(double uniform) {
        return (float) (Math.floor(uniform * UNIFORM_STEPS) / UNIFORM_STEPS);
    }

    private void removeGuesses() {
        System.arraycopy(tokens, 1, removed, 0, tokens.length - 1);
    }

    private void weighGuesses(DraftLaws laws) {
        for (int node = 0; node + 1 < rows(); node++) {
            drafted[node] = (float) laws.row(node)[tokens[node + 1]];
        }
    }

    private static void requireSupported(SamplingPolicy policy) {
        if (!supports(policy) || policy.greedy()) {
            throw new IllegalArgumentException(
                    "%s is greedy or depends on tokens seen before, and the device draws with neither"
                            .formatted(policy));
        }
    }
}
