package dev.outrider.cli;

import com.google.inject.AbstractModule;

/// Every command.
final class CommandModule extends AbstractModule {
    @Override
    protected void configure() {
        bind(OutriderCommand.class);
        bind(GenerateCommand.class);
        bind(BenchCommand.class);
        bind(ReportCommand.class);
        bind(SweepCommand.class);
        bind(RunCellCommand.class);
        bind(BenchModelCommand.class);
        bind(BenchDraftCommand.class);
        bind(VerifyExactnessCommand.class);
        bind(PlanCommand.class);
        bind(PredictCommand.class);
        bind(LabCommand.class);
        bind(DoctorCommand.class);
        bind(KernelsCommand.class);
        bind(CorpusCommand.class);
        bind(TokenizerCommand.class);
        bind(TokenizerCommand.Train.class);
        bind(TrainCommand.class);
        bind(ExportCommand.class);
        bind(DataCommand.class);
        bind(DataShowCommand.class);
        bind(DataRegenerateCommand.class);
        bind(QuantiseCommand.class);
        bind(PullCommand.class);
        bind(ModelCommand.class);
        bind(ModelShowCommand.class);
        bind(TreeCommand.class);
        bind(TreeOptimiseCommand.class);
        bind(TreeShowCommand.class);
        bind(PluginsCommand.class);
        bind(PluginsCommand.Names.class);
        bind(PluginsCommand.Describe.class);
        bind(PluginsCommand.Reference.class);
        bind(PluginsCheckCommand.class);
        bind(PluginsNewCommand.class);
        bind(ConformanceCheck.class);
        bind(Measurement.class);
        bind(OtherCostsReport.class);
        bind(ShapeCosts.class);
        bind(Experiments.class);
        bind(HubModels.class);
        bind(DrafterFacts.class);
        bind(HeadCheck.class);
    }
}
