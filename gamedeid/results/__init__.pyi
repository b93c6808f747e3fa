# ruff: isort: skip_file
# The public names of gamedeid.results, each with its module, in the form that lazy_imports.public_names reads.

from gamedeid.analysis.regional_comparison import RegionalComparison as RegionalComparison
from gamedeid.analysis.risk_utility import RiskUtility as RiskUtility
from gamedeid.analysis.robustness import Robustness as Robustness
from gamedeid.analysis.solver_comparison import SolverComparison as SolverComparison
from gamedeid.analysis.study_table import StudyTable as StudyTable
from gamedeid.analysis.suggestions import Suggestions as Suggestions
from gamedeid.attacks.result import AttackCounts as AttackCounts
from gamedeid.attacks.result import AttackSimulation as AttackSimulation
from gamedeid.attacks.result import RecipientResult as RecipientResult
from gamedeid.report.changes import ReleaseChanges as ReleaseChanges
from gamedeid.report.changes import release_changes as release_changes
from gamedeid.report.changes import write_changes as write_changes
from gamedeid.report.html.stored import write_certificate as write_certificate
from gamedeid.study.applied import Applied as Applied
from gamedeid.study.codebook import Codebook as Codebook
from gamedeid.study.codebook import release_codebook as release_codebook
from gamedeid.verification.findings import Finding as Finding
from gamedeid.verification.findings import Unchecked as Unchecked
from gamedeid.verification.findings import Verification as Verification
