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
import org.deidentifier.arx.criteria.DistinctLDiversity;
import org.deidentifier.arx.criteria.EqualDistanceTCloseness;
import org.deidentifier.arx.criteria.KAnonymity;
import org.deidentifier.arx.criteria.PrivacyCriterion;
import org.deidentifier.arx.criteria.ProfitabilityProsecutor;
import org.deidentifier.arx.criteria.ProfitabilityProsecutorNoAttack;
import org.deidentifier.arx.metric.Metric;

/**
 * ARX: the best release by the publisher's payout, for all rows alike or, by local recoding, for groups of rows.
 * The rules are separated by commas: the two games (basic, no-attack), k=75, l=2 and t=0.2; the last two are of the kept column.
 * Recoding is "global", or "local,SHARE,FACTOR": the share of the rows that each round of local recoding must better, and ARX's
 * factor in these rounds between suppression (0) and generalization (1).
 * Run: java -cp ARX.jar ArxRelease.java FOLDER OUTPUT RULES RECODING BENEFIT LOSS GAIN COST KEPT ATTRIBUTE ...
 */
public class ArxRelease {
    public static void main(String[] words) throws Exception {
        String kept = words[8];
        Data data = Data.create(new File(words[0], "records.csv"), StandardCharsets.UTF_8, ',');
        for (int column = 0; column < data.getHandle().getNumColumns(); column++) {
            String name = data.getHandle().getAttributeName(column);
            data.getDefinition().setAttributeType(name, AttributeType.INSENSITIVE_ATTRIBUTE);
        }
        for (int word = 9; word < words.length; word++) {
            File file = new File(words[0], "hierarchies/" + words[word] + ".csv");
            data.getDefinition().setAttributeType(words[word], Hierarchy.create(file, StandardCharsets.UTF_8, ';'));
        }
        long started = System.nanoTime();
        String[] recoding = words[3].split(",");
        boolean local = recoding[0].equals("local");
        ARXConfiguration config = ARXConfiguration.create();
        config.setCostBenefitConfiguration(ARXCostBenefitConfiguration.create()
            .setPublisherBenefit(Double.parseDouble(words[4])).setPublisherLoss(Double.parseDouble(words[5]))
            .setAdversaryGain(Double.parseDouble(words[6])).setAdversaryCost(Double.parseDouble(words[7])));
        for (String rule : words[2].split(",")) {
            if (rule.startsWith("l=") || rule.startsWith("t=")) {
                data.getDefinition().setAttributeType(kept, AttributeType.SENSITIVE_ATTRIBUTE);
            }
            config.addPrivacyModel(criterion(rule, kept));
        }
        config.setQualityModel(local ? Metric.createPublisherPayoutMetric(false, 0d) : Metric.createPublisherPayoutMetric(false));
        config.setSuppressionLimit(1d);
        ARXResult result = new ARXAnonymizer().anonymize(data, config);
        DataHandle release = result.getOutput(false);
        if (local) {
            result.optimizeIterativeFast(release, Double.parseDouble(recoding[1]), Double.parseDouble(recoding[2]), progress -> { });
        }
        double work = (System.nanoTime() - started) / 1e9;
        try (PrintWriter file = new PrintWriter(words[1], StandardCharsets.UTF_8)) {
            for (Iterator<String[]> rows = release.iterator(); rows.hasNext();) {
                file.println("\"" + String.join("\",\"", rows.next()) + "\"");
            }
        }
        System.out.printf("{\"work\": %.3f}%n", work);
    }

    private static PrivacyCriterion criterion(String rule, String kept) {
        String number = rule.substring(rule.indexOf('=') + 1);
        return switch (rule.substring(0, rule.length() - number.length())) {
            case "k=" -> new KAnonymity(Integer.parseInt(number));
            case "l=" -> new DistinctLDiversity(kept, Integer.parseInt(number));
            case "t=" -> new EqualDistanceTCloseness(kept, Double.parseDouble(number));
            default -> rule.equals("basic") ? new ProfitabilityProsecutor() : new ProfitabilityProsecutorNoAttack();
        };
    }
}
