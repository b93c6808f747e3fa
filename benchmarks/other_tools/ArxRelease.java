import java.io.File;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import org.deidentifier.arx.ARXAnonymizer;
import org.deidentifier.arx.ARXConfiguration;
import org.deidentifier.arx.ARXCostBenefitConfiguration;
import org.deidentifier.arx.ARXResult;
import org.deidentifier.arx.AttributeType;
import org.deidentifier.arx.AttributeType.Hierarchy;
import org.deidentifier.arx.Data;
import org.deidentifier.arx.DataHandle;
import org.deidentifier.arx.criteria.ProfitabilityProsecutor;
import org.deidentifier.arx.criteria.ProfitabilityProsecutorNoAttack;
import org.deidentifier.arx.metric.Metric;

/**
 * ARX: its cost/benefit analysis with the prosecutor's risk, for all rows alike or, by local recoding, for groups of rows.
 * Run: java -cp ARX.jar ArxRelease.java FOLDER OUTPUT basic|no-attack global|local BENEFIT LOSS GAIN COST ATTRIBUTE ...
 */
public class ArxRelease {
    public static void main(String[] words) throws Exception {
        Data data = Data.create(new File(words[0], "records.csv"), StandardCharsets.UTF_8, ',');
        for (int column = 0; column < data.getHandle().getNumColumns(); column++) {
            String name = data.getHandle().getAttributeName(column);
            data.getDefinition().setAttributeType(name, AttributeType.INSENSITIVE_ATTRIBUTE);
        }
        for (int word = 8; word < words.length; word++) {
            File file = new File(words[0], "hierarchies/" + words[word] + ".csv");
            data.getDefinition().setAttributeType(words[word], Hierarchy.create(file, StandardCharsets.UTF_8, ';'));
        }
        long started = System.nanoTime();
        boolean local = words[3].equals("local");
        ARXConfiguration config = ARXConfiguration.create();
        config.setCostBenefitConfiguration(ARXCostBenefitConfiguration.create()
            .setPublisherBenefit(Double.parseDouble(words[4])).setPublisherLoss(Double.parseDouble(words[5]))
            .setAdversaryGain(Double.parseDouble(words[6])).setAdversaryCost(Double.parseDouble(words[7])));
        config.addPrivacyModel(words[2].equals("basic") ? new ProfitabilityProsecutor() : new ProfitabilityProsecutorNoAttack());
        config.setQualityModel(local ? Metric.createPublisherPayoutMetric(false, 0d) : Metric.createPublisherPayoutMetric(false));
        config.setSuppressionLimit(1d);
        ARXResult result = new ARXAnonymizer().anonymize(data, config);
        DataHandle release = result.getOutput(false);
        if (local) {
            result.optimizeIterativeFast(release, 0.01d);
        }
        double work = (System.nanoTime() - started) / 1e9;
        try (PrintWriter file = new PrintWriter(words[1], StandardCharsets.UTF_8)) {
            for (Iterator<String[]> rows = release.iterator(); rows.hasNext();) {
                file.println("\"" + String.join("\",\"", rows.next()) + "\"");
            }
        }
        System.out.printf("{\"work\": %.3f}%n", work);
    }
}
