/// Assembly of a decoder from factories and settings: the pairing is checked, then models are loaded. The class that loaded them
/// closes them together. Used by all readers of a configuration: experiments, and programs that embed the engine.
@NullMarked
package dev.outrider.engine.assembly;

import org.jspecify.annotations.NullMarked;
