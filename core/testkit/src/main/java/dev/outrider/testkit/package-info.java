/// Tests that prove a drafter, an acceptance rule or a target correct: models whose distribution is
/// a table, randomness that forks so that production code is enumerated exactly, and base classes
/// of conformance tests.
@NullMarked
package dev.outrider.testkit;

import org.jspecify.annotations.NullMarked;
