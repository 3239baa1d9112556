/// Which module may know which, as tests over the classes of the whole project.
@NullMarked
package dev.outrider.architecture;

import org.jspecify.annotations.NullMarked;
