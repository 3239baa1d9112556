/// Contracts of Outrider between drafters, acceptance rules, targets and the engine.
///
/// ## The calls of a draft session
///
/// [DraftSession#begin][dev.outrider.spi.draft.DraftSession#begin] once, then in every round [DraftSession#propose][dev.outrider.spi.draft.DraftSession#propose] and [DraftSession#observe][dev.outrider.spi.draft.DraftSession#observe]. Two rounds of a drafter
/// that reads hidden states, with the prompt `5 7 9`:
///
/// | call | what it gets | afterwards |
/// | --- | --- | --- |
/// | `begin` | the prompt; hidden states of its first two tokens, 5 and 7: `promptStates.size()` is 2 (0 for drafters that read none) | the root is 9, at position 2. The target has not computed it yet, so its state does not exist |
/// | `propose` | a budget, randomness | returns the chain 9, 20, 21, 22: nodes 0 to 3 |
/// | `observe` | that draft, accepted nodes `[1]`, next token 30; scores of four nodes | 21 was rejected and 22 with it. The text is `5 7 9 20 30`, the root 30 at position 4 |
/// | `propose` | a budget, randomness | returns a tree: 40 (node 1) and 41 (node 2) below the root 30, and 50 (node 3) below 40 |
/// | `observe` | that draft, accepted nodes `[1, 3]`, next token 60; scores of four nodes | a leaf was reached, so 60 is a bonus. The text is `5 7 9 20 30 40 50 60`, the root 60 at position 7 |
///
/// - Scores have a row for every node of the draft, accepted or not, the root first. In the first `observe` row 0 is
///   the state of token 9 at position 2 and row 1 that of 20 at position 3. They are true: these tokens stay. Rows 2 and 3
///   belong to tokens that are not in the text. In the second, rows 0, 1 and 3 are those of 30, 40 and 50 at positions 4
///   to 6, and row 2 is the rejected sibling's.
/// - The logits of a row are about the token that follows its node. The next token has no row: it is the next root, and its
///   state comes with the next round's scores.
/// - A drafter that reads rows of nodes that were not accepted declares it ([DrafterTraits][dev.outrider.spi.draft.DrafterTraits]).
/// - A session may keep what it computed for accepted guesses, or drop it and compute it again from the observed tokens.
/// - Scores and states are valid during the call. Copy what you need later.
/// - A round in which the text ends is not observed. A session can be closed after any call.
/// - Budgets may be empty: then the draft has its root only, and the round goes on as any other.
@NullMarked
package dev.outrider.spi;

import org.jspecify.annotations.NullMarked;
