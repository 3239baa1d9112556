package dev.outrider.experiment.run;

import java.util.List;
import java.util.Optional;

/// `samples.json`: the first rounds of every variant on one prompt, decoded once more after the measurement with the randomness of
/// its first repetition, so that looking at distributions costs the measurement nothing.
///
/// @param prompt id of the prompt
/// @param text   the prompt
/// @param source the source, of an encoder-decoder
/// @param variants  every variant, in the order of the configuration
public record Samples(String prompt, String text, Optional<String> source, List<OfVariant> variants) {
    public Samples {
        variants = List.copyOf(variants);
    }

    /// One variant.
    ///
    /// @param name   of the variant
    /// @param rounds in order, from the first
    /// @param distributions   p and q of one of them; empty at temperature 0, where p is a single token
    public record OfVariant(String name, List<Round> rounds, Optional<Distributions> distributions) {
        public OfVariant {
            rounds = List.copyOf(rounds);
        }
    }

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
            int emitted) {
        public Round {
            nodes = List.copyOf(nodes);
            accepted = List.copyOf(accepted);
        }
    }

    /// A guess.
    ///
    /// @param parent   node it stands below; 0 is the root
    /// @param token    its id
    /// @param text     what it reads as
    /// @param verified whether it could have been accepted
    public record Node(int parent, int token, String text, boolean verified) {}

    /// The distributions at the root of one round: of all rounds with a guess, the one of median beta.
    ///
    /// @param round     its number
    /// @param selection `point mass`, `independent` or `without replacement`
    /// @param beta      sum of min(p, q)
    /// @param rows      the tokens with most of either distribution, in falling order of p
    /// @param others    all other tokens together
    /// @param drawn     id of the first guess
    /// @param kept      whether it was accepted
    public record Distributions(
            int round,
            String selection,
            double beta,
            List<Row> rows,
            Others others,
            int drawn,
            boolean kept) {
        public Distributions {
            rows = List.copyOf(rows);
        }
    }

    /// One token.
    public record Row(int token, String text, double p, double q) {}

    /// Tokens without a row.
    ///
    /// @param tokens  how many have p or q above 0
    /// @param overlap sum of min(p, q)
    public record Others(int tokens, double p, double q, double overlap) {}
}
