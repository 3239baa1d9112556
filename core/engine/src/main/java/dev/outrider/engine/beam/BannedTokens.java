package dev.outrider.engine.beam;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Set;

/// Which tokens may not follow a text: those that would end it too early, and those that would repeat a run of tokens.
///
/// @param settings  says how early and how long
/// @param endTokens tokens that end a hypothesis
/// @param prompt    what stands before the tokens of a beam; not written to
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

    /// What followed the last n - 1 tokens wherever they occurred before.
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
