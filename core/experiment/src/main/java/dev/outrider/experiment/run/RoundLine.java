package dev.outrider.experiment.run;

/// One line of `rounds.jsonl`.
///
/// @param side       name of the side
/// @param prompt     id of the prompt
/// @param repetition from 0
/// @param round      what it did
public record RoundLine(String side, String prompt, int repetition, RoundRecord round) {}
