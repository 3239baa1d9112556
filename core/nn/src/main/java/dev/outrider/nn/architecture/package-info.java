/// What a checkpoint's `config.json` says about the decoder, in all the spellings of the Llama family.
@NullMarked
package dev.outrider.nn.architecture;

import org.jspecify.annotations.NullMarked;
