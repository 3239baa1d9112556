package dev.outrider.experiment.run;

import java.util.List;
import java.util.Optional;

/// `samples.json`: the first rounds of every variant on one prompt, as they were measured.
///
/// @param prompt id of the prompt
/// @param text   the prompt
/// @param source the source, of an encoder-decoder
/// @param variants  every variant, in the order of the configuration
public record Samples(
        String prompt, String text, Optional<String> source, List<OfVariant> variants) {
    /// One variant.
    ///
    /// @param name   of the variant
    /// @param rounds in order, from the first
    public record OfVariant(String name, List<Round> rounds) {}

    /// One round.
    ///
    /// @param round    number, from 0
    /// @param nodes    the draft, without its root; `nodes[i]` is node i + 1 of the tree
    /// @param accepted nodes on the accepted path, from 1
    /// @param next     the token that follows them
    /// @param bonus    whether the whole path to a leaf was accepted; otherwise `next` corrects
    /// @param emitted  how many of accepted tokens and `next` were emitted
    public record Round(
            int round,
            List<Node> nodes,
            List<Integer> accepted,
            String next,
            boolean bonus,
            int emitted) {}

    /// A guess.
    ///
    /// @param parent   parent node; 0 is the root
    /// @param token    its id
    /// @param text     its text
    /// @param verified whether it could have been accepted
    public record Node(int parent, int token, String text, boolean verified) {}
}
