"""A model and its fit to a table: the formula, which is read and never evaluated; the design; and coefficients."""

import re
import warnings
from collections.abc import Collection, Iterator, Mapping
from itertools import combinations, product
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from gamedeid.arrays import BoolArray, FloatArray
from gamedeid.errors import InvalidScenarioError, quoted, refuse_unknown
from gamedeid.reprs import brief, frozen
from gamedeid.risk.utility.variables import Variable

MOST_FACTORS = 3
"""Most columns of an interaction: hardly any release has enough records for each combination of more."""

_NAME = r"(?:`[^`]+`|[^\W\d][\w.]*)"
_FACTOR = rf"(?:C\(\s*{_NAME}\s*\)|{_NAME})"
_TERM = rf"{_FACTOR}(?:\s*\*\s*{_FACTOR})*"
_FORMULA = re.compile(rf"\s*({_NAME})\s*~\s*({_TERM}(?:\s*\+\s*{_TERM})*)\s*")
_FORM = "expected RESPONSE ~ COLUMN + COLUMN, * for interactions, C(COLUMN) for categories, backquotes around odd names"


@brief
class Factor(NamedTuple):
    """A column that explains the response; ``category`` says that its numbers are categories."""

    column: str
    category: bool = False


@frozen
class Formula:
    """A response and the terms that explain it: single columns before interactions, without the intercept."""

    response: str
    terms: tuple[tuple[Factor, ...], ...]

    @property
    def factors(self) -> tuple[Factor, ...]:
        """The columns that explain the response, each once."""
        return tuple(dict.fromkeys(factor for term in self.terms for factor in term))


def read_formula(text: str, columns: Collection[str]) -> Formula:
    """Return the model that a formula such as ``y ~ age + C(sex)`` states.

    ``a * b`` is ``a``, ``b`` and their interaction. Functions, arithmetic and a removed intercept are refused.
    """
    found = _FORMULA.fullmatch(text)
    if found is None:
        raise InvalidScenarioError(f"model: {quoted(text)} is no model; {_FORM}")
    response = found[1].strip("`")
    terms = dict.fromkeys(term for part in re.findall(_TERM, found[2]) for term in _crossed(part))
    formula = Formula(response=response, terms=tuple(sorted(terms, key=len)))
    names = [factor.column for factor in formula.factors]
    for name in (response, *names):
        refuse_unknown("attribute or kept column", name, columns, "model: ")
    if response in names:
        raise InvalidScenarioError(f"model: {quoted(response)} is on both sides of ~")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidScenarioError(f"model: {quoted(twice)} is both a number and a category")
    return formula


def _crossed(part: str) -> Iterator[tuple[Factor, ...]]:
    """Yield the terms of ``a * b``."""
    words = re.findall(_FACTOR, part)
    factors = sorted({Factor(re.findall(_NAME, word)[-1].strip("`"), word.endswith(")")) for word in words})
    if len(factors) > MOST_FACTORS:
        raise InvalidScenarioError(f"model: an interaction of more than {MOST_FACTORS} columns is not taken")
    for size in range(1, len(factors) + 1):
        yield from combinations(factors, size)


ModelFamily: TypeAlias = Literal["linear", "logistic", "cox"]
"""Model of the response: ordinary least squares, log-odds, or proportional hazards."""

NotFitted: TypeAlias = Literal["too few rows", "dependent columns", "no estimate"]
"""Reason why a table has no coefficients."""

INTERCEPT = "(Intercept)"

_DEPENDENT = 1e-7
"""A share of a column that counts as 0: far above rounding, and far below the share of one record."""


@frozen(eq=False)
class Fit:
    """Coefficients of a table.

    Parameters
    ----------
    rows : number of rows used: those with a value in every column of the model.
    coefficients : name -> estimate, and the ends of its 95% confidence interval.
    support : name -> number of rows in which its column is not 0.
    why_not : why there are no coefficients; None if there are.
    dependent : number of columns that are sums of others, so that the table does not determine their coefficients,
        which are left out; the other coefficients do not depend on which of the columns are left out.
    """

    rows: int
    coefficients: Mapping[str, tuple[float, float, float]]
    support: Mapping[str, int]
    why_not: NotFitted | None = None
    dependent: int = 0


@frozen(eq=False)
class Model:
    """A formula, the model of its response, and category -> the label with which others are compared."""

    formula: Formula
    family: ModelFamily
    references: Mapping[str, str]

    def fit(self, variables: Mapping[str, Variable], response: FloatArray, event: FloatArray | None) -> Fit:
        """Return the coefficients of a table; response and event (for "cox"), (n,), are NaN where not known."""
        columns = [variables[factor.column] for factor in self.formula.factors]
        known = ~np.isnan(response) if event is None else ~np.isnan(response) & ~np.isnan(event)
        for column in columns:
            known = known & column.known
        design = self._design(variables, known)
        design = {name: values for name, values in design.items() if values.any()}
        rows, support = int(known.sum()), {name: int((values != 0).sum()) for name, values in design.items()}
        if rows <= len(design):
            return Fit(rows=rows, coefficients={}, support=support, why_not="too few rows")
        if not design:  # only one category
            return Fit(rows=rows, coefficients={}, support=support, why_not="dependent columns")
        matrix = np.stack(list(design.values()), axis=1)
        kept, determined = _independent(matrix)
        if not determined.any():
            return Fit(rows=rows, coefficients={}, support=support, why_not="dependent columns")
        known_event = None if event is None else event[known]
        found = _estimated(self.family, response[known], matrix[:, kept], known_event)
        if found is None:
            return Fit(rows=rows, coefficients={}, support=support, why_not="no estimate")
        names = [name for place, name in enumerate(design) if kept[place]]
        named = {
            name: tuple(values)
            for name, values, is_determined in zip(names, found.tolist(), determined, strict=True)
            if is_determined
        }
        return Fit(rows=rows, coefficients=named, support=support, dependent=len(design) - len(named))

    def _design(self, variables: Mapping[str, Variable], known: Any) -> dict[str, FloatArray]:
        """Return name of a coefficient -> its column, over the known rows."""
        of_factor = {factor: self._columns(factor, variables[factor.column], known) for factor in self.formula.factors}
        design = {} if self.family == "cox" else {INTERCEPT: np.ones(int(known.sum()))}
        for term in self.formula.terms:
            for parts in product(*(of_factor[factor].items() for factor in term)):
                values = np.multiply.reduce([values for _, values in parts])
                design[" x ".join(name for name, _ in parts)] = values
        return design

    def _columns(self, factor: Factor, variable: Variable, known: Any) -> dict[str, FloatArray]:
        name = factor.column
        if variable.numbers is not None:
            return {name: variable.numbers[known]}
        codes, reference = variable.codes[known], self.references.get(name)
        if reference not in variable.labels and len(codes):
            reference = variable.labels[int(np.bincount(codes).argmax())]
        return {
            f"{name}[{label}]": (codes == place).astype(np.float64)
            for place, label in enumerate(variable.labels)
            if label != reference
        }


def _independent(matrix: FloatArray) -> tuple[BoolArray, BoolArray]:
    """Return which columns, (k,), are kept so that none is a sum of others, and which of them have a coefficient.

    A kept column has none if an omitted column depends on it.
    """
    from scipy.linalg import lstsq, qr  # noqa: PLC0415  (of an extra)

    scaled = matrix / np.sqrt((matrix**2).sum(axis=0))
    triangle, order = qr(scaled, mode="r", pivoting=True)
    rank = int((np.abs(np.diag(triangle)) > _DEPENDENT * np.abs(triangle[0, 0])).sum())
    kept = np.zeros(scaled.shape[1], np.bool_)
    kept[order[:rank]] = True
    if kept.all():
        return kept, kept
    sums = lstsq(scaled[:, kept], scaled[:, ~kept])[0]
    return kept, np.abs(sums).max(axis=1) <= _DEPENDENT


def _estimated(family: ModelFamily, response: FloatArray, matrix: FloatArray, event: FloatArray | None) -> Any:
    """Return estimates and their intervals, (k, 3); None if the estimation finds none."""
    from statsmodels.discrete.discrete_model import Logit  # noqa: PLC0415  (of an extra, and slow to import)
    from statsmodels.duration.hazard_regression import PHReg  # noqa: PLC0415
    from statsmodels.regression.linear_model import OLS  # noqa: PLC0415
    from statsmodels.tools.sm_exceptions import ModelWarning, PerfectSeparationError  # noqa: PLC0415

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", ModelWarning)
        try:
            if family == "linear":
                found = OLS(response, matrix).fit()
            elif family == "logistic":
                found = Logit(response, matrix).fit(disp=0)
            else:
                found = PHReg(response, matrix, status=event, ties="efron").fit(disp=0)
            made = np.column_stack([found.params, found.conf_int(0.05)])
        except (ModelWarning, PerfectSeparationError, np.linalg.LinAlgError, ValueError, ZeroDivisionError):
            return None
    return made if np.isfinite(made).all() else None
