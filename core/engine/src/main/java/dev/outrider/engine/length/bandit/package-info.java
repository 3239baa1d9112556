/// Draft lengths by bandits: from the tokens that each length gave for its time, and nothing else.
@NullMarked
package dev.outrider.engine.length.bandit;

import org.jspecify.annotations.NullMarked;
