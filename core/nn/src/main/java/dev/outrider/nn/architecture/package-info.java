/// What a checkpoint's `config.json` says about its stacks, in the spellings of every family.
@NullMarked
package dev.outrider.nn.architecture;

import org.jspecify.annotations.NullMarked;
