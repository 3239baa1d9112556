/// Trees fitted while a run goes on: acceptance by rank and times as they are measured, and the tree of least time per token for both.
@NullMarked
package dev.outrider.engine.length.tree;

import org.jspecify.annotations.NullMarked;
