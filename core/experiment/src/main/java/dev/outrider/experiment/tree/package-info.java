/// Finds the tree of least time per token for a target, a drafter, a rule and a machine: measures, computes, writes.
@NullMarked
package dev.outrider.experiment.tree;

import org.jspecify.annotations.NullMarked;
