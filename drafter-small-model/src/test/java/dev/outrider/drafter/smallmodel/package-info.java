/// Tests of the small-model drafter, most of them on a network that is a table of token paths.
@NullMarked
package dev.outrider.drafter.smallmodel;

import org.jspecify.annotations.NullMarked;
