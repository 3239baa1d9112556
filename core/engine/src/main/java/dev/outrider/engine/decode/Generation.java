package dev.outrider.engine.decode;

import dev.outrider.spi.run.DecodeEvent.FinishReason;
import java.util.List;

/// What was generated.
///
/// @param tokens     emitted ids, an end-of-sequence token included; the prompt is not
/// @param text       their text, cut before a stop string
/// @param reason     why the sequence ended
/// @param rounds     number of target passes after the prompt
/// @param hypotheses of a beam search, the best first, whose ids and text these are; none where nothing was searched for
public record Generation(
        int[] tokens, String text, FinishReason reason, int rounds, List<Hypothesis> hypotheses) {
    public Generation {
        hypotheses = List.copyOf(hypotheses);
    }
}
