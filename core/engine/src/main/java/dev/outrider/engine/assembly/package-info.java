/// From factories and settings to something that can decode: the pairing is checked, then models are loaded, and the part that loaded
/// them closes them together. Used by all readers of a configuration: experiments, and programs that embed the engine.
@NullMarked
package dev.outrider.engine.assembly;

import org.jspecify.annotations.NullMarked;
