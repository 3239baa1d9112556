package dev.outrider.drafter.eagle;

import dev.outrider.drafting.export.HeadExport;
import java.util.List;

/// Exports `speculators`. Thread-safe.
public final class SpeculatorsExport implements HeadExport<SpeculatorsExportConfig> {
    @Override
    public String name() {
        return "speculators";
    }

    @Override
    public Class<SpeculatorsExportConfig> configType() {
        return SpeculatorsExportConfig.class;
    }

    @Override
    public String description() {
        return "Writes an EAGLE-3 head as the library speculators does; vLLM serves it.";
    }

    @Override
    public String details() {
        return "The numbers stay as they are, bit by bit. A head without an embedding of its own gets the target's.";
    }

    @Override
    public List<String> examples() {
        return List.of(
                "export speculators --head models/demo-eagle3 --target models/demo-target --out demo-eagle3-speculators");
    }

    @Override
    public String write(SpeculatorsExportConfig config) {
        var target = ExportTarget.read(config.folders().target());
        var layout =
                new SpeculatorsLayout(
                        config.targetName().orElse(target.name()), config.speculativeTokens());
        return new EagleExport(config.folders(), target, layout).write(config.overrides());
    }
}
