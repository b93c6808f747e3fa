# The public names of gamedeid.intake, each with its module, in the form that lazy_imports.public_names reads.

from gamedeid.intake.drafting.draft import Draft as Draft
from gamedeid.intake.drafting.parts import DraftedColumn as DraftedColumn
from gamedeid.intake.identifiers.columns import column_findings as column_findings
from gamedeid.intake.identifiers.findings import IdentifierCheck as IdentifierCheck
from gamedeid.intake.identifiers.findings import IdentifierFinding as IdentifierFinding
from gamedeid.intake.identifiers.releases import refuse_identifiers as refuse_identifiers
