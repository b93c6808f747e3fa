"""A transformer for scikit-learn pipelines, which replaces rows by their releases."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from gamedeid.capabilities import Operation, refuse_unsupported
from gamedeid.choices import GameName, SolverName
from gamedeid.errors import InvalidDataError, InvalidScenarioError
from gamedeid.extras import missing_extra_error
from gamedeid.generalization.levels import ROOT
from gamedeid.reprs import brief
from gamedeid.scenario.scenario import ScenarioLike
from gamedeid.study.solve import solve
from gamedeid.study.study import Study

try:
    from sklearn.base import BaseEstimator, TransformerMixin
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError:  # the module can be imported without it; ``fit`` reports the missing package
    BaseEstimator = TransformerMixin = object
    validate_data = None


@brief
class _Unshown(NamedTuple):
    """A data frame as an argument: scikit-learn shows all arguments, and no row of this one."""

    frame: Any


class ReleaseTransformer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Replace the attributes of rows by their released labels.

    Fitting reads the population and closes hierarchies over it and the fitted rows; transforming solves the game for
    the given rows. A strategy depends on the row's own values and the population, so the same profile gets the same
    strategy in every call. The number of rows is kept: a withheld row has ``*`` in every attribute and no kept value.

    Parameters
    ----------
    scenario : the question, or the path of its file, or a dict with its sections. It needs a population.
    population : a data frame to use instead of the scenario's file.
    game : "basic", "no-attack" or "sh-friendly" (default: the scenario's).
    solver : "exact", "backward-induction", "lattice-search" or "bounded-suboptimal".

    Examples
    --------
    >>> import pandas as pd
    >>> people = pd.DataFrame({"age": [48] * 30 + [51] * 2, "sex": ["Male"] * 32})
    >>> scenario = {
    ...     "population": {},
    ...     "attributes": {"age": {"hierarchy": "age"}, "sex": {"hierarchy": "sex"}},
    ...     "payoffs": {"benefit": 100, "loss": 90, "cost": 20},
    ... }
    >>> rows = pd.DataFrame({"age": [48, 51], "sex": ["Male", "Male"]})
    >>> transformer = ReleaseTransformer(scenario, people, game="no-attack")  # doctest: +SKIP
    >>> transformer.fit_transform(rows)["age"].tolist()  # doctest: +SKIP
    ['48', '[45-59]']
    """

    def __init__(
        self,
        scenario: ScenarioLike | None = None,
        population: Any = None,
        game: GameName | None = None,
        solver: SolverName = "exact",
    ) -> None:
        self.scenario = scenario
        unshown = population is None or isinstance(population, _Unshown)
        self.population = population if unshown else _Unshown(population)
        self.game = game
        self.solver = solver

    def __sklearn_tags__(self) -> Any:
        """Return the tags for scikit-learn: columns of any type are accepted, by name."""
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = tags.input_tags.string = tags.input_tags.allow_nan = True
        tags.no_validation = True
        return tags

    def fit(self, X: Any, y: Any = None) -> "ReleaseTransformer":  # noqa: ARG002, N803  (as pipelines call it)
        """Read the population, and the values of the rows if hierarchies take their leaves from the data.

        Parameters
        ----------
        X : a pandas data frame with the columns of the scenario's records, (rows, columns).

        Returns
        -------
        the transformer itself.

        Raises
        ------
        GamedeidError : a scenario in which a row's strategy depends on other rows, or none; or wrong data.
        """
        if validate_data is None:
            raise missing_extra_error("scikit-learn", "the transformer")
        if self.scenario is None:
            raise InvalidScenarioError("scenario: expected a scenario, which names the part of each column")
        _check_frame(X)
        validate_data(self, X, skip_check_array=True)
        people = self.population.frame if isinstance(self.population, _Unshown) else self.population
        study = Study.prepare(self.scenario, X, people)
        refuse_unsupported(Operation.OTHER_ROWS, study.features)
        self.study_ = study
        return self

    def transform(self, X: Any) -> Any:  # noqa: N803  (as pipelines call it)
        """Return the release of rows, (rows, attributes and kept columns), as a pandas data frame with their index.

        Parameters
        ----------
        X : a pandas data frame with the columns of the fit, (rows, columns).

        Raises
        ------
        GamedeidError : no game, one in which a row's strategy depends on other rows, or wrong data.
        """
        check_is_fitted(self, "study_")
        _check_frame(X)
        validate_data(self, X, reset=False, skip_check_array=True)
        game = self.study_.scenario.game_of_records(self.game)
        solution = solve(self.study_.of_rows(X), game=game, solver=self.solver)
        withheld = solution.withheld[solution.study.instance.profiles.of_record]
        released = solution.release(keep_order=True).astype(object)
        full = released.set_axis(np.flatnonzero(~withheld)).reindex(range(len(withheld)))
        full.loc[withheld, list(self.study_.instance.hierarchies)] = ROOT
        return full.set_axis(X.index)

    def get_feature_names_out(self, input_features: Any = None) -> Any:  # noqa: ARG002  (as pipelines call it)
        """Return the names of the columns that :meth:`transform` returns: those of the fit without dropped columns."""
        check_is_fitted(self, "study_")
        dropped = set(self.study_.scenario.records.drop)
        return np.array([name for name in self.feature_names_in_ if name not in dropped], dtype=object)


def _check_frame(rows: Any) -> None:
    """Refuse rows that are no pandas data frame, whose index the release could not keep."""
    if not isinstance(rows, pd.DataFrame):
        kind = type(rows)
        raise InvalidDataError(f"X: expected a pandas data frame, not {kind.__module__}.{kind.__qualname__}")
