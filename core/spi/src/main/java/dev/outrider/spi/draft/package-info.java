/// Drafters, their sessions, drafts, and the shapes of trees.
@NullMarked
package dev.outrider.spi.draft;

import org.jspecify.annotations.NullMarked;
