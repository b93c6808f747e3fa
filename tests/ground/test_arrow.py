"""Arrow arrays from numpy arrays and back: the same values of all types."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gamedeid.arrow import as_arrow, as_numpy, as_texts

KINDS = (np.bool_, np.int8, np.uint16, np.int32, np.int64, np.float64)


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_arrow_has_the_same_numbers_and_gives_them_back(kind, data):
    values = data.draw(arrays(kind, st.integers(0, 20)))[:: data.draw(st.sampled_from([1, 2, -1]))]
    start = data.draw(st.integers(0, len(values)))

    found = as_arrow(values)

    assert pa.array(values.copy()).equals(found) or np.isnan(values).any()
    assert values[start:].tobytes() == as_numpy(found[start:]).tobytes()
    assert kind == as_numpy(found).dtype


@given(st.lists(st.text()))
def test_arrow_has_the_same_texts(texts):
    assert pa.array(texts, pa.large_string()).equals(as_texts(texts))
