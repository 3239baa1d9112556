/// What proves a drafter, an acceptance rule or a target right: models whose distribution is a table, randomness that
/// fork so that production code is enumerated exactly, and base classes of conformance tests.
@NullMarked
package dev.outrider.testkit;

import org.jspecify.annotations.NullMarked;
