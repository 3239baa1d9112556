/// Drafting from a corpus on disk: what followed the longest suffix of the text that occurs there.
@NullMarked
package dev.outrider.drafter.lookup.datastore;

import org.jspecify.annotations.NullMarked;
