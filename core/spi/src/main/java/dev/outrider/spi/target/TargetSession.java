package dev.outrider.spi.target;

import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.util.Optional;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// One sequence in a target: its committed cache and at most one scored, undecided tree.
///
/// Confined to one thread.
@API(status = Status.STABLE, since = "2")
public interface TargetSession extends Capabilities, AutoCloseable {
    /// {@return committed tokens in the cache} The root of the next tree is not among them.
    int length();

    /// {@return rows the cache can hold}
    int capacity();

    /// Appends committed tokens to the cache. Called with a prompt without its last token, which becomes the
    /// root of the first tree.
    ///
    /// @param tokens may be empty
    /// @return the requested hidden states of these tokens; the caller closes them
    /// @throws dev.outrider.spi.error.OutriderException `CONTEXT_EXCEEDED`, `TOKEN_OUT_OF_RANGE`
    HiddenStates prefill(int[] tokens);

    /// Scores every node of a tree in one forward pass: node i attends to the committed cache and to its
    /// ancestors, at position `length() + depth(i)`. Any earlier undecided tree is dropped.
    ///
    /// @param tree the tree; its root is the last committed token
    /// @return scores that the caller closes before the next pass
    /// @throws dev.outrider.spi.error.OutriderException `CONTEXT_EXCEEDED`, `TOKEN_OUT_OF_RANGE`
    TargetScores score(TokenTree tree);

    /// Keeps the cache rows of the scored tree's root and of the accepted nodes, drops the rest. After the call
    /// [#length()] has grown by `1 + verdict.acceptedLength()`.
    ///
    /// @param verdict the rule's decision about the tree
    /// @throws IllegalStateException    if no tree was scored since the last commit
    /// @throws IllegalArgumentException if the accepted nodes are not a path from the root
    void commit(Verdict verdict);

    /// {@return an optional facility beyond this contract, such as [PartialPasses]; empty by default} The model lists those of its
    /// sessions ([TargetModel#sessionCapabilities]).
    ///
    /// @param <T> type of the facility
    /// @param type the facility
    @Override
    default <T> Optional<T> capability(Class<T> type) {
        return Optional.empty();
    }

    /// Releases the cache. Idempotent.
    @Override
    void close();
}
