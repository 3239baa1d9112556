package dev.outrider.engine.beam;

import dev.outrider.common.sampling.LogProbabilities;
import dev.outrider.engine.beam.BeamSearch.BestSuccessors;
import dev.outrider.engine.processing.ProcessorChain.ProcessedLogits;
import dev.outrider.spi.sampling.TokenHistory;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Set;

/// Finds the best successors of beams in rows of logits. Log probabilities are of the softmax of the processed logits, in double
/// precision; banned tokens keep their share of it, as in Transformers. Confined to one thread.
final class SuccessorScores {
    private final BannedTokens banned;
    private final ProcessedLogits processed;
    private final TokenHistory prompt;
    private final int most;
    private final LogProbabilities row;

    /// @param processed applied to the target's logits first
    /// @param most      number of successors wanted
    SuccessorScores(BannedTokens banned, ProcessedLogits processed, int vocabulary, int most) {
        this.banned = banned;
        this.processed = processed;
        int length = banned.prompt().length;
        this.prompt = new TokenHistory(banned.prompt(), length, new int[0], length);
        this.most = most;
        this.row = new LogProbabilities(vocabulary);
    }

    /// The best successors of a beam.
    ///
    /// @param logits shape `[V]` 32-bit floats, of the beam's last token; not changed
    BestSuccessors of(Beam beam, MemorySegment logits) {
        var changed =
                processed.usesHistory()
                        ? processed.of(logits, prompt.followedBy(beam.tokens()))
                        : logits;
        row.fill(changed);
        return chosen(beam.score(), banned.after(beam));
    }

    private BestSuccessors chosen(double score, BitSet excluded) {
        var tokens = new int[Math.min(most, row.vocabulary())];
        var scores = new double[tokens.length];
        int size = 0;
        for (int token = 0; token < row.vocabulary(); token++) {
            double own = score + row.of(token);
            boolean wanted = size < tokens.length || own > scores[size - 1];
            if (!wanted || own == Double.NEGATIVE_INFINITY || excluded.get(token)) {
                continue;
            }
            int place = size < tokens.length ? size++ : size - 1;
            for (; place > 0 && scores[place - 1] < own; place--) {
                tokens[place] = tokens[place - 1];
                scores[place] = scores[place - 1];
            }
            tokens[place] = token;
            scores[place] = own;
        }
        return new BestSuccessors(Arrays.copyOf(tokens, size), Arrays.copyOf(scores, size));
    }

    /// The tokens that may not follow a text: those that would end it too early, and those that would repeat a run of tokens.
    ///
    /// @param settings  says how early and how long
    /// @param endTokens tokens that end a hypothesis
    /// @param prompt    tokens before those of a beam; not written to
    /// @see "Hugging Face Transformers, MinNewTokensLengthLogitsProcessor and NoRepeatNGramLogitsProcessor"
    record BannedTokens(BeamSettings settings, Set<Integer> endTokens, int[] prompt) {
        BannedTokens {
            endTokens = Set.copyOf(endTokens);
        }

        /// Tokens that may not follow a beam.
        BitSet after(Beam beam) {
            var banned = new BitSet();
            if (beam.length() < settings.minTokens()) {
                endTokens.forEach(banned::set);
            }
            if (settings.noRepeatNgram() > 0) {
                banRepeats(beam.text(prompt), banned);
            }
            return banned;
        }

        /// Bans the tokens that followed the last n - 1 tokens at earlier places.
        private void banRepeats(int[] text, BitSet banned) {
            int context = settings.noRepeatNgram() - 1;
            int last = text.length - context;
            for (int start = 0; start < last; start++) {
                if (Arrays.equals(text, start, start + context, text, last, text.length)) {
                    banned.set(text[start + context]);
                }
            }
        }

        @Override
        public String toString() {
            return "BannedTokens[settings=%s, endTokens=%s, prompt=%s]"
                    .formatted(settings, endTokens, Arrays.toString(prompt));
        }
    }
}
