"""Native data frames in Narwhals' words."""

import warnings
from typing import Any

import narwhals as nw


def in_narwhals(frame: Any) -> Any:
    """Return a native frame in Narwhals' words.

    Raises
    ------
    TypeError : it is no frame that Narwhals knows.
    """
    with warnings.catch_warnings():  # its part for Dask moves to a package that may not be there yet
        warnings.filterwarnings("ignore", "Dask support is moving", FutureWarning)
        return nw.from_native(frame)
