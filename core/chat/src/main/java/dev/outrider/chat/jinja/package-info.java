/// The part of the Jinja template language that chat templates use, with Python's rules for
/// printing, slicing and whitespace. Templates come with downloaded models, so they are restricted:
/// they reach no Java object, no file, and no clock except the given one; steps, output and nesting
/// have limits (docs/decisions/0034).
@NullMarked
package dev.outrider.chat.jinja;

import org.jspecify.annotations.NullMarked;
