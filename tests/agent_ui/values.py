"""What the property tests of this folder draw from."""

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

# How fast examples are drawn and run depends on what else the machine does; it says nothing about the code.
patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=6,
)
