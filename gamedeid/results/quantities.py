"""What single values of stored documents are: their types, ranges and units, as a JSON Schema tells them."""

from typing import Annotated, TypeAlias

from pydantic import Field

_LARGEST = 1e100  # far above any amount, and far below what overflows

_Finite: TypeAlias = Annotated[float, Field(strict=True, allow_inf_nan=False)]
_Whole: TypeAlias = Annotated[int, Field(strict=True)]

Number: TypeAlias = Annotated[_Finite, Field(ge=-_LARGEST, le=_LARGEST)]
Amount: TypeAlias = Annotated[Number, Field(description="Dollars; below 0 for a loss.")]
Dollars: TypeAlias = Annotated[_Finite, Field(gt=0, le=_LARGEST, description="Dollars, more than 0.")]
Share: TypeAlias = Annotated[_Finite, Field(ge=0, le=1, description="A share or a chance, from 0 to 1.")]
Mean: TypeAlias = Annotated[_Finite, Field(ge=0, le=_LARGEST, description="A mean or an expected number.")]
Seconds: TypeAlias = Annotated[_Finite, Field(ge=0, description="Seconds.")]
Milliseconds: TypeAlias = Annotated[_Finite, Field(ge=0, description="Milliseconds.")]
Count: TypeAlias = Annotated[_Whole, Field(ge=0, le=2**63, description="How many there are.")]
OneOrMore: TypeAlias = Annotated[_Whole, Field(ge=1, le=2**63, description="How many there are, one at least.")]
Level: TypeAlias = Annotated[
    _Whole, Field(ge=0, le=2**63, description="A level of a hierarchy: 0 is the value itself.")
]
Flag: TypeAlias = Annotated[bool, Field(strict=True)]
Text: TypeAlias = Annotated[str, Field(strict=True)]
FilePath: TypeAlias = Annotated[str, Field(strict=True, description="Where a file is.")]
Digest: TypeAlias = Annotated[str, Field(strict=True, pattern="^[0-9a-f]{64}$", description="SHA-256 in hex.")]
RangeEnds: TypeAlias = Annotated[
    tuple[Number | None, ...],
    Field(min_length=2, max_length=2, description="Dollars, from and to; null: without an end."),
]
OpenEnds: TypeAlias = Annotated[
    tuple[Flag, ...], Field(min_length=2, max_length=2, description="Whether the claim does not hold at the very end.")
]
Edges: TypeAlias = Annotated[tuple[Number, ...], Field(min_length=2, description="Where bins begin and end.")]
