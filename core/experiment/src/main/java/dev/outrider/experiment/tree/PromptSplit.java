package dev.outrider.experiment.tree;

import dev.outrider.experiment.run.Prompt;
import dev.outrider.spi.error.ErrorCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/// Prompts to measure on and other prompts to check on, so that a tree is never judged on the prompts that it was fitted to.
///
/// @param measure prompts for acceptance and times
/// @param check   prompts for the comparison with the finished tree
public record PromptSplit(List<Prompt> measure, List<Prompt> check) {
    public PromptSplit {
        measure = List.copyOf(measure);
        check = List.copyOf(check);
        if (measure.isEmpty() || check.isEmpty()) {
            throw ErrorCode.DATA_INVALID.error(
                    "%d prompts are left to measure on and %d others to check on; both need at least one"
                            .formatted(measure.size(), check.size()),
                    "Give more prompts, or prompts of their own to measure on with --prompts.");
        }
    }

    /// Every other prompt of each kind for measuring, the first among them.
    public static PromptSplit alternating(List<Prompt> prompts) {
        Map<String, Integer> seen = new HashMap<>();
        List<Prompt> measure = new ArrayList<>();
        List<Prompt> check = new ArrayList<>();
        for (var prompt : prompts) {
            boolean even = seen.merge(prompt.kind(), 1, Integer::sum) % 2 == 1;
            (even ? measure : check).add(prompt);
        }
        return new PromptSplit(measure, check);
    }

    /// Separate prompts for measuring; prompts that are also to be checked are left out of them.
    public static PromptSplit apart(List<Prompt> measure, List<Prompt> check) {
        var held = new HashSet<>(check.stream().map(Prompt::digest).toList());
        return new PromptSplit(
                measure.stream().filter(prompt -> !held.contains(prompt.digest())).toList(), check);
    }
}
