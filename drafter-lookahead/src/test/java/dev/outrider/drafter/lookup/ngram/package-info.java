/// Tests of the package.
@NullMarked
package dev.outrider.drafter.lookup.ngram;

import org.jspecify.annotations.NullMarked;
