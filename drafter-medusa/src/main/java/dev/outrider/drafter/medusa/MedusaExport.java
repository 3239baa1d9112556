package dev.outrider.drafter.medusa;

import dev.outrider.common.NamedService;
import dev.outrider.drafter.medusa.MedusaTraining.TrainedMedusa;
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
                        "What the file calls the target: its name on the hub, or a path that exists where the file is loaded. The name on the hub, or the folder's, when it is not given.")
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
                var json = TrainedMedusa.json("1", heads.sizes().heads(), heads.sizes().layers());
                json.put("hidden_size", decoder.hiddenSize());
                json.put("vocab_size", decoder.vocabularySize());
                json.put("base_model_name_or_path", config.targetName().orElse(target.name()));
                folders.write(
                        MedusaCheckpoint.FILE + ".safetensors",
                        heads.inFirstVersion(),
                        HeadJson.text(json),
                        () -> open(folders.out(), decoder).close());
                return "%s: %d heads of %d blocks"
                        .formatted(folders.out(), heads.sizes().heads(), heads.sizes().layers());
            }
        }

        private static MedusaCheckpoint open(Path folder, DecoderConfig decoder) {
            return MedusaCheckpoint.open(folder, decoder.hiddenSize(), decoder.vocabularySize());
        }
    }
}
