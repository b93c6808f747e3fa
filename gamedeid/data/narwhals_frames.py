"""Native data frames as Narwhals wraps them."""

import warnings
from typing import Any

import narwhals as nw


def in_narwhals(frame: Any) -> Any:
    """Return a native frame as Narwhals wraps it.

    Raises
    ------
    TypeError : it is no frame that Narwhals knows.
    """
    with warnings.catch_warnings():  # its part for Dask moves to a package that may not be there yet
        warnings.filterwarnings("ignore", "Dask support is moving", FutureWarning)
        return nw.from_native(frame)
