package dev.outrider.experiment.run;

/// A greedy generation that differs from plain decoding, or a hypothesis that differs from plain search's.
///
/// @param side     the variant
/// @param prompt   id of the prompt
/// @param position first position of the output that differs, from 0
/// @param plain    id that plain decoding emitted there, -1 if it had ended
/// @param variant  id that the variant emitted there, -1 if it had ended
/// @param gap      difference of the target's two largest logits there, in nats; a tiny gap means rounding, a large one a
///                 defect; of hypotheses, the difference of their scores
/// @param searched whether hypotheses were compared
public record Mismatch(
        String side,
        String prompt,
        int position,
        int plain,
        int variant,
        double gap,
        boolean searched) {}
