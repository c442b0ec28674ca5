import java.io.FileInputStream;
import java.io.InputStream;

import com.thoughtworks.xstream.XStream;
import org.apache.jmeter.JMeter;
import org.apache.jmeter.engine.StandardJMeterEngine;
import org.apache.jmeter.reporters.ResultCollector;
import org.apache.jmeter.save.SaveService;
import org.apache.jmeter.util.JMeterUtils;
import org.apache.jorphan.collections.HashTree;

/**
 * Loads a test plan with JMeter's own reader, runs it with JMeter's own engine and writes its results.
 * Debian's JMeter 2.13 comes with an XStream that refuses every class that it is not told to allow, those of JMeter
 * too: they are allowed here before the plan is read. Arguments: JMeter's home, then pairs of a plan and
 * the file of its results.
 */
public class JMeterRun {
    public static void main(String[] args) throws Exception {
        JMeterUtils.setJMeterHome(args[0]);
        JMeterUtils.loadJMeterProperties(args[0] + "/bin/jmeter.properties");
        JMeterUtils.initLocale();
        SaveService.loadProperties();
        for (String name : new String[] {"JMXSAVER", "JTLSAVER"}) {
            var field = SaveService.class.getDeclaredField(name);
            field.setAccessible(true);
            ((XStream) field.get(null)).allowTypesByWildcard(new String[] {"org.apache.jmeter.**", "org.apache.jorphan.**", "java.**"});
        }
        for (int i = 1; i + 1 < args.length; i += 2) {
            run(args[i], args[i + 1]);
        }
        System.exit(0);
    }

    private static void run(String file, String resultFile) throws Exception {
        HashTree plan;
        try (InputStream in = new FileInputStream(file)) {
            plan = SaveService.loadTree(in);
        }
        JMeter.convertSubTree(plan);
        var results = new ResultCollector();
        results.setFilename(resultFile);
        plan.add(plan.getArray()[0], results);
        var engine = new StandardJMeterEngine();
        engine.configure(plan);
        engine.run();
    }
}
