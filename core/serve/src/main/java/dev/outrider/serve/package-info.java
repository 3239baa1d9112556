/// A server with the API of OpenAI's completions, over a target and its variants.
@NullMarked
package dev.outrider.serve;

import org.jspecify.annotations.NullMarked;
