/// The part of the Jinja template language that chat templates use, with Python's rules for printing, slicing and
/// whitespace. Templates come with downloaded models, so they are confined by construction: they reach no Java object,
/// no file and no clock but the one they are given, and steps, output and nesting are bounded.
@NullMarked
package dev.outrider.chat.jinja;

import org.jspecify.annotations.NullMarked;
