"""Native data frames as Narwhals wraps them."""

import warnings
from typing import TYPE_CHECKING, Any

from gamedeid.later import Later

if TYPE_CHECKING:
    import narwhals as nw
else:
    nw = Later("narwhals")


def in_narwhals(frame: Any) -> Any:
    """Return a native frame as Narwhals wraps it.

    Raises
    ------
    TypeError : it is no frame that Narwhals knows.
    """
    with warnings.catch_warnings():  # its part for Dask moves to a package that may not be there yet
        warnings.filterwarnings("ignore", "Dask support is moving", FutureWarning)
        return nw.from_native(frame)
