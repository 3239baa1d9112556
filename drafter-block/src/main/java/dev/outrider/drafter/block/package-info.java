/// The drafters `dflash` and `dspark`: a block of tokens in one pass over the target's features. Checkpoints in the layouts of their
/// authors and of speculators are translated to [dev.outrider.drafter.block.BlockLayout]; a session runs the backbone once per round, and
/// the trees of [dev.outrider.drafting.TreeExpander] grow from its slots.
///
/// @see "Chen, Liang, Liu 2026 (DFlash), arXiv 2602.06036; Cheng et al. 2026 (DSpark), arXiv 2607.05147"
@NullMarked
package dev.outrider.drafter.block;

import org.jspecify.annotations.NullMarked;
