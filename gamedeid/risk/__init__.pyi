# The public names of gamedeid.risk, each with its module, in the form that later.public_names reads.

from gamedeid.population.estimates import success_by_class as success_by_class
from gamedeid.risk.aware import AwareRisk as AwareRisk
from gamedeid.risk.aware import aware_risk as aware_risk
from gamedeid.risk.bins import distinct_people as distinct_people
from gamedeid.risk.bins import price_per_reidentification as price_per_reidentification
from gamedeid.risk.bins import total_risk as total_risk
from gamedeid.risk.census.counts import PlaceCounts as PlaceCounts
from gamedeid.risk.census.counts import read_place_counts as read_place_counts
from gamedeid.risk.census.identifiable import Identifiable as Identifiable
from gamedeid.risk.census.identifiable import demographics as demographics
from gamedeid.risk.census.identifiable import identifiable as identifiable
from gamedeid.risk.diversity import KeptDiversity as KeptDiversity
from gamedeid.risk.diversity import kept_diversity as kept_diversity
from gamedeid.risk.matches import Exposure as Exposure
from gamedeid.risk.matches import exposure as exposure
from gamedeid.risk.records import RecordRisks as RecordRisks
from gamedeid.risk.records import record_risks as record_risks
from gamedeid.risk.release import release_risks as release_risks
from gamedeid.risk.uniqueness.classes import ClassSizes as ClassSizes
from gamedeid.risk.uniqueness.classes import measure_uniqueness as measure_uniqueness
from gamedeid.risk.uniqueness.classes import read_class_sizes as read_class_sizes
from gamedeid.risk.uniqueness.estimates import UniquenessEstimates as UniquenessEstimates
from gamedeid.risk.uniqueness.estimates import estimate_uniqueness as estimate_uniqueness
from gamedeid.risk.uniqueness.simulation import StudyPlan as StudyPlan
from gamedeid.risk.uniqueness.simulation import UniquenessStudy as UniquenessStudy
from gamedeid.risk.uniqueness.simulation import study_uniqueness as study_uniqueness
