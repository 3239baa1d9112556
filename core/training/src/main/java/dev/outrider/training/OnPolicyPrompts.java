package dev.outrider.training;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Prompts out of a row of text: what each document in it begins with.
///
/// @param endOfText    token that ends a document
/// @param promptTokens most tokens of a prompt; more where what follows them is only read, as a question's rest is
record OnPolicyPrompts(int endOfText, int promptTokens) {
    /// At least one prompt, each of at least one token.
    ///
    /// @param row of a batch
    List<int[]> of(TokenRows batch, int row) {
        int start = row * batch.width();
        int end = start + batch.width();
        var prompts = new ArrayList<int[]>();
        for (int from = start; from < end; ) {
            int to = from;
            while (to < end && batch.tokens()[to] != endOfText) {
                to++;
            }
            int length = length(batch, from, to);
            if (length > 0) {
                prompts.add(tokens(batch, from, from + length));
            }
            from = to + 1;
        }
        if (prompts.isEmpty()) {
            prompts.add(tokens(batch, start, start + Math.min(promptTokens, batch.width() - 1)));
        }
        return prompts;
    }

    /// Up to the first learned token behind the prompt; 0 if there is none.
    private int length(TokenRows batch, int from, int to) {
        for (int next = from + Math.min(promptTokens, Math.max(1, (to - from) / 2));
                next < to;
                next++) {
            if (batch.learned()[next]) {
                return next - from;
            }
        }
        return 0;
    }

    private static int[] tokens(TokenRows batch, int from, int to) {
        return Arrays.stream(batch.tokens(), from, to).mapToInt(Math::toIntExact).toArray();
    }
}
