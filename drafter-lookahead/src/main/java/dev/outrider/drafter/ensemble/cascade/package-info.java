/// Several drafters in an order of preference: the first that has something to propose drafts the round.
@NullMarked
package dev.outrider.drafter.ensemble.cascade;

import org.jspecify.annotations.NullMarked;
