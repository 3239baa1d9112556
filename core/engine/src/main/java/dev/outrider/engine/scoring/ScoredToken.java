package dev.outrider.engine.scoring;

import dev.outrider.common.sampling.DistributionBuffer;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Log probabilities of one token of a text.
///
/// @param raw       before any processor and at temperature 1
/// @param processed as it was drawn: after processors, policy and operators; empty for tokens of the prompt, and at temperature 0
public record ScoredToken(TokenScore raw, Optional<TokenScore> processed) {

    /// Scores every token of a text but the first, which has no context, in separate passes.
    ///
    /// @param rows       reads the text
    /// @param chain      the processors and operators that the emitted tokens were drawn with
    /// @param policy     that they were drawn with
    /// @param prompt     token ids, at least one
    /// @param emitted    token ids after the prompt
    /// @param candidates number of the most probable tokens to report at each place
    /// @throws dev.outrider.spi.error.OutriderException what target and processors throw
    public static List<ScoredToken> of(
            TextRows rows,
            ProcessorChain chain,
            SamplingPolicy policy,
            int[] prompt,
            int[] emitted,
            int candidates) {
        int vocabulary = rows.targets().getFirst().description().vocabularySize();
        var scorer = new TokenScorer(vocabulary);
        var processed = chain.on(vocabulary);
        var buffer = new DistributionBuffer(vocabulary);
        int[] text = IntStream.concat(IntStream.of(prompt), IntStream.of(emitted)).toArray();
        double[] state = {processed.operators().firstState()};
        var scored = new ArrayList<ScoredToken>();
        rows.read(
                text,
                1,
                (place, row) -> {
                    var logits = row.apply(0);
                    int token = text[place];
                    Optional<TokenScore> drawn = Optional.empty();
                    if (place >= prompt.length && !policy.greedy()) {
                        var history = new TokenHistory(text, place, new int[0], prompt.length);
                        processed.fill(policy, logits, history, state[0], buffer);
                        double[] p = buffer.distribution();
                        state[0] = processed.operators().nextState(state[0], p[token]);
                        drawn = Optional.of(TokenScorer.score(p, token, candidates));
                    }
                    scored.add(new ScoredToken(scorer.score(logits, token, candidates), drawn));
                });
        return scored;
    }
}
