/// The answers to clients: texts of a request as they are written, in OpenAI's form, whole or piece by piece.
@NullMarked
package dev.outrider.serve.answer;

import org.jspecify.annotations.NullMarked;
