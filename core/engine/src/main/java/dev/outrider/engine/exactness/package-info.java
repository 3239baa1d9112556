/// Evidence that what a decoder writes follows its target's law: exact laws of a few tokens against many
/// generations, and every token of long generations against the law at its own place.
@NullMarked
package dev.outrider.engine.exactness;

import org.jspecify.annotations.NullMarked;
