/// Draft lengths by bandits, for comparison with `expected-gain`: from the tokens that each length gave for its time, and nothing else.
@NullMarked
package dev.outrider.drafter.bandit;

import org.jspecify.annotations.NullMarked;
