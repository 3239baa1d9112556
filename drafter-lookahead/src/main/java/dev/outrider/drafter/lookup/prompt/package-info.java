/// Prompt lookup: the last few tokens, searched for earlier in the text.
@NullMarked
package dev.outrider.drafter.lookup.prompt;

import org.jspecify.annotations.NullMarked;
