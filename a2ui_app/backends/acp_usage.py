"""Where agents of the Agent Client Protocol tell their tokens: four places, two ways of counting cached ones."""

from collections.abc import Mapping
from typing import Any

from .base import TokenUsage, Usage

_NAMES = {
    "input": ("inputTokens", "input_tokens"),
    "output": ("outputTokens", "output_tokens"),
    "read": ("cachedReadTokens", "cached_read_tokens", "cachedInputTokens"),
    "write": ("cachedWriteTokens", "cached_write_tokens"),
    "total": ("totalTokens", "total_tokens"),
}


def usage_of(result: Mapping[str, Any], chunks: Mapping[str, Any], model: str) -> Usage:
    """The usage of a turn, from the answer to its prompt (`usage`, or `_meta` of gemini and grok), else its chunks."""
    meta = result.get("_meta") or {}
    by_model = (meta.get("quota") or {}).get("model_usage")
    if by_model:
        return {str(one.get("model", "")): _tokens(one.get("token_count") or {}) for one in by_model}
    for told in (result.get("usage"), meta.get("usage"), chunks):
        if isinstance(told, Mapping) and (used := _tokens(told)):
            return {model: used}
    return {}


def _tokens(told: Mapping[str, Any]) -> TokenUsage:
    counts = {name: _count(told, keys) for name, keys in _NAMES.items()}
    cached = counts["read"] + counts["write"]
    whole = counts["input"] + counts["output"]
    # Cached tokens are part of the input where input and output alone make the total.
    inside = bool(counts["total"]) and whole == counts["total"]
    fresh = max(0, counts["input"] - cached) if inside else counts["input"]
    return TokenUsage(fresh, counts["output"], counts["read"], counts["write"])


def _count(told: Mapping[str, Any], keys: tuple[str, ...]) -> int:
    return next((int(told[key]) for key in keys if isinstance(told.get(key), int | float)), 0)
