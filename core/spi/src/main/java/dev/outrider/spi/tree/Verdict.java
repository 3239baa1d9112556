package dev.outrider.spi.tree;

import java.util.List;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// The decision of an acceptance rule about a draft: the accepted path and the token that follows it.
///
/// @param acceptedNodes nodes on the accepted path in order of depth, the root left out; may be empty
/// @param nextToken     token emitted after the accepted ones; the next round's root
/// @param origin        the distribution that the next token is from
@API(status = Status.STABLE, since = "2")
public record Verdict(List<Integer> acceptedNodes, int nextToken, Origin origin) {
    /// Origin of the token that follows the accepted path.
    public enum Origin {
        /// From the target's distribution after the whole path to a leaf was accepted.
        BONUS,
        /// From the residual of the target's distribution after the candidates at the last node were rejected.
        CORRECTION
    }

    /// Copies the path and checks the token.
    public Verdict {
        acceptedNodes = List.copyOf(acceptedNodes);
        if (nextToken < 0) {
            throw new IllegalArgumentException("nextToken %d is negative".formatted(nextToken));
        }
    }

    /// {@return number of accepted draft tokens}
    public int acceptedLength() {
        return acceptedNodes.size();
    }

    /// {@return the last node of the accepted path; 0, the root, if nothing was accepted}
    public int lastNode() {
        return acceptedNodes.isEmpty() ? 0 : acceptedNodes.getLast();
    }

    /// {@return tokens that this round emits: the accepted ones and the next token} The caller owns the array.
    ///
    /// @param tree the tree of the verdict
    public int[] emitted(TokenTree tree) {
        var tokens = new int[acceptedNodes.size() + 1];
        for (int index = 0; index < acceptedNodes.size(); index++) {
            tokens[index] = tree.token(acceptedNodes.get(index));
        }
        tokens[tokens.length - 1] = nextToken;
        return tokens;
    }
}
