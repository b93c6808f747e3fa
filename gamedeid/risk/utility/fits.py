"""A model fitted to one table: its design matrix, its coefficients, and why it may have none."""

import warnings
from collections.abc import Mapping
from itertools import product
from typing import Any, Literal, TypeAlias

import numpy as np

from gamedeid.arrays import FloatArray
from gamedeid.reprs import frozen
from gamedeid.risk.utility.formula import Factor, Formula
from gamedeid.risk.utility.variables import Variable

ModelFamily: TypeAlias = Literal["linear", "logistic", "cox"]
"""How the response is modelled: ordinary least squares, log-odds, or proportional hazards."""

NotFitted: TypeAlias = Literal["too few rows", "dependent columns", "no estimate"]
"""Why a table gives no coefficients."""

INTERCEPT = "(Intercept)"


@frozen(eq=False)
class Fit:
    """Coefficients of a table.

    Parameters
    ----------
    rows : how many were used: those of which all columns of the model are known.
    coefficients : name -> estimate, and the ends of its 95% confidence interval.
    support : name -> in how many rows its column is not 0.
    why_not : why there are none; None where there are.
    """

    rows: int
    coefficients: Mapping[str, tuple[float, float, float]]
    support: Mapping[str, int]
    why_not: NotFitted | None = None


@frozen(eq=False)
class Model:
    """A formula with how its response is read.

    Parameters
    ----------
    formula : the columns.
    family : how the response is modelled.
    references : category -> the label that others are compared with.
    """

    formula: Formula
    family: ModelFamily
    references: Mapping[str, str]

    def fit(self, variables: Mapping[str, Variable], response: FloatArray, event: FloatArray | None) -> Fit:
        """Return the coefficients of a table.

        Parameters
        ----------
        variables : column of the formula -> its values, (n,).
        response, event : (n,) NaN where not known; the event is of the family "cox".
        """
        columns = [variables[factor.column] for factor in self.formula.factors]
        known = ~np.isnan(response) if event is None else ~np.isnan(response) & ~np.isnan(event)
        for column in columns:
            known = known & column.known
        design = self._design(variables, known)
        design = {name: values for name, values in design.items() if values.any()}
        rows, support = int(known.sum()), {name: int((values != 0).sum()) for name, values in design.items()}
        matrix = np.stack(list(design.values()), axis=1) if design else np.zeros((rows, 0))
        why_not = _why_not(matrix)
        found = None
        if why_not is None:
            found = _estimated(self.family, response[known], matrix, None if event is None else event[known])
            why_not = "no estimate" if found is None else None
        named = {} if found is None else dict(zip(design, map(tuple, found.tolist()), strict=True))
        return Fit(rows=rows, coefficients=named, support=support, why_not=why_not)

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


def _why_not(matrix: FloatArray) -> NotFitted | None:
    rows, columns = matrix.shape
    if rows <= columns:
        return "too few rows"
    lengths = np.sqrt((matrix**2).sum(axis=0))
    return "dependent columns" if np.linalg.matrix_rank(matrix / lengths) < columns else None


def _estimated(family: ModelFamily, response: FloatArray, matrix: FloatArray, event: FloatArray | None) -> Any:
    """Return estimates and their intervals, (k, 3); None where the estimation finds none."""
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
