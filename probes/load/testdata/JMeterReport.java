import java.util.LinkedHashMap;

import org.apache.jmeter.reporters.ResultCollector;
import org.apache.jmeter.samplers.SampleResult;
import org.apache.jmeter.save.CSVSaveService;
import org.apache.jmeter.util.Calculator;
import org.apache.jmeter.util.JMeterUtils;
import org.apache.jmeter.visualizers.SamplingStatCalculator;
import org.apache.jmeter.visualizers.Visualizer;

/**
 * Prints what JMeter's own classes make of JTL files: a line for each label and one for TOTAL, as its Aggregate Report
 * (SamplingStatCalculator) and its Summary Report (Calculator) calculate them. Arguments: JMeter's home, then the files.
 */
public class JMeterReport {
    public static void main(String[] args) throws Exception {
        JMeterUtils.setJMeterHome(args[0]);
        JMeterUtils.loadJMeterProperties(args[0] + "/bin/jmeter.properties");
        JMeterUtils.initLocale();
        for (int i = 1; i < args.length; i++) {
            report(args[i]);
        }
    }

    private static void report(String file) throws Exception {
        var aggregate = new LinkedHashMap<String, SamplingStatCalculator>();
        var summary = new LinkedHashMap<String, Calculator>();
        var allAggregate = new SamplingStatCalculator("TOTAL");
        var allSummary = new Calculator("TOTAL");
        CSVSaveService.processSamples(file, new Visualizer() {
            @Override
            public void add(SampleResult r) {
                String label = r.getSampleLabel();
                aggregate.computeIfAbsent(label, SamplingStatCalculator::new).addSample(r);
                summary.computeIfAbsent(label, Calculator::new).addSample(r);
                allAggregate.addSample(r);
                allSummary.addSample(r);
            }

            @Override
            public boolean isStats() {
                return false;
            }
        }, new ResultCollector());
        aggregate.put("TOTAL", allAggregate);
        summary.put("TOTAL", allSummary);
        aggregate.forEach((label, a) -> print(label, a, summary.get(label)));
    }

    private static void print(String label, SamplingStatCalculator a, Calculator s) {
        // The percent of a line is a property that is read as a float.
        System.out.println(String.join("\t", "ROW", label, "" + a.getCount(), "" + a.getMeanAsNumber().longValue(), "" + a.getMedian(), "" + a.getPercentPoint(90f / 100),
                "" + a.getPercentPoint(95f / 100), "" + a.getPercentPoint(99f / 100), "" + a.getMin(), "" + a.getMax(), "" + a.getErrorPercentage(), "" + a.getRate(),
                "" + a.getKBPerSecond(), "" + a.getStandardDeviation(), "" + a.getAvgPageBytes(),
                "" + s.getCount(), "" + s.getMeanAsNumber().longValue(), "" + s.getMin(), "" + s.getMax(), "" + s.getStandardDeviation(), "" + s.getErrorPercentage(),
                "" + s.getRate(), "" + s.getKBPerSecond(), "" + s.getAvgPageBytes()));
    }
}
