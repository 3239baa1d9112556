/// Unigram and bigram tables learnt from a corpus: the smallest drafters that have a distribution of their own.
@NullMarked
package dev.outrider.drafter.lookup.ngram;

import org.jspecify.annotations.NullMarked;
