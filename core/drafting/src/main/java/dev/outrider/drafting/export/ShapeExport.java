package dev.outrider.drafting.export;

import dev.outrider.common.NamedService;
import dev.outrider.common.ShapedPath;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.shape.GgufExport;
import dev.outrider.nn.shape.ModelPaths;
import dev.outrider.nn.shape.ShapedCheckpoint;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;

/// The configuration of `export shape`.
public record ShapeExport(
        @Doc(
                        "A checkpoint in a larger shape, MODEL@SHAPE; a GGUF file may also be of MODEL as it is.")
                Path model,
        @Doc("A new or an empty folder, or a new file whose name ends with .gguf.") Path out) {
    private static final String GGUF = ".gguf";

    /// `export shape`.
    public static final class Export extends NamedService<ShapeExport>
            implements HeadExport<ShapeExport> {
        /// The service.
        public Export() {
            super(
                    "shape",
                    ShapeExport.class,
                    "Writes a checkpoint in a larger shape, as a folder or as a GGUF file.",
                    "It writes the same text as the small checkpoint, at the larger model's costs in any engine that loads it.",
                    "export shape --model models/demo-target@tinyllama-1.1b --out shaped/demo-1.1b",
                    "export shape --model models/demo-target@tinyllama-1.1b --out demo-1.1b.gguf");
        }

        @Override
        public String write(ShapeExport config) {
            var shaped = ShapedPath.of(config.model());
            if (config.out().toString().endsWith(GGUF)) {
                GgufExport.write(ModelPaths.open(config.model()), config.out());
            } else {
                var path = shaped.orElseThrow(() -> plain(config.model()));
                ShapedCheckpoint.write(new Checkpoint(path.source()), path.shape(), config.out());
            }
            return "%s: %s".formatted(config.out(), config.model());
        }

        private static OutriderException plain(Path model) {
            return ErrorCode.USAGE.error(
                    "--model '%s' names no shape; expected MODEL@SHAPE".formatted(model),
                    "'outrider bench-model --help' lists the shapes.");
        }
    }
}
