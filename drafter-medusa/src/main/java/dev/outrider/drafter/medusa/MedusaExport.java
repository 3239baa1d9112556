package dev.outrider.drafter.medusa;

import dev.outrider.drafting.NamedService;
import dev.outrider.drafting.export.HeadExport;
import dev.outrider.drafting.export.HeadFolders;
import dev.outrider.drafting.head.HeadJson;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import java.nio.file.Path;
import java.util.Optional;

/// The configuration of `export medusa-v1`.
public record MedusaExport(
        @Inline HeadFolders folders,
        @Doc(
                        "What the file calls the target: its name on the hub, or a path that whoever loads the file finds. The name on the hub, or the folder's, when it is not given.")
                Optional<String> targetName) {
    /// `export medusa-v1`.
    public static final class Export extends NamedService<MedusaExport>
            implements HeadExport<MedusaExport> {
        public Export() {
            super(
                    "medusa-v1",
                    MedusaExport.class,
                    "Writes Medusa heads as the first version of Medusa does.",
                    "The numbers stay as they are, bit by bit; where blocks have no bias, it is zero.",
                    "export medusa-v1 --head models/demo-medusa --target models/demo-target --out demo-medusa-v1");
        }

        @Override
        public String write(MedusaExport config) {
            var folders = config.folders();
            var target = new Checkpoint(folders.target());
            var decoder = ModelConfig.read(target).decoder();
            try (var heads = open(folders.head(), decoder)) {
                var json = TrainedMedusa.json("1", heads.heads(), heads.layers());
                json.put("hidden_size", decoder.hiddenSize());
                json.put("vocab_size", decoder.vocabularySize());
                json.put("base_model_name_or_path", config.targetName().orElse(target.name()));
                folders.write(
                        HeadCheckpoint.FILE + ".safetensors",
                        heads.inFirstVersion(),
                        HeadJson.text(json),
                        () -> open(folders.out(), decoder).close());
                return "%s: %d heads of %d blocks"
                        .formatted(folders.out(), heads.heads(), heads.layers());
            }
        }

        private static HeadCheckpoint open(Path folder, DecoderConfig decoder) {
            return HeadCheckpoint.open(folder, decoder.hiddenSize(), decoder.vocabularySize());
        }
    }
}
