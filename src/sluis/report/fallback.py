"""What GX itself kept of a validation, for a run that has no record of ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sluis.report.model import Rule, Run

NOTICE = (
    "There is no Sluis record of this run. The page shows what Great Expectations kept: "
    "whether each rule held, but no verdict and nothing about what was written."
)


def run_of_result(result: Mapping[str, Any]) -> Run:
    """A run, as far as a validation result (as a JSON object) tells about it."""
    meta = result.get("meta") or {}
    run_id = meta.get("run_id") or {}
    name = str(run_id.get("run_name") or "unnamed run")
    suite = str(result.get("suite_name") or "unknown suite")
    rules = [_rule(item) for item in result.get("results") or []]
    return Run(
        run_id=name,
        entity=suite,
        contract=suite,
        title=None,
        version="",
        verdict="",
        rules=tuple(sorted(rules, key=lambda rule: not rule.failed)),
        started=run_id.get("run_time"),
        notices=(NOTICE,),
    )


def _rule(item: Mapping[str, Any]) -> Rule:
    config = item.get("expectation_config") or {}
    found = item.get("result") or {}
    kwargs = config.get("kwargs") or {}
    sentence = str(config.get("description") or _sentence(str(config.get("type")), kwargs))
    severity = str(config.get("severity") or "critical")
    return Rule(
        id=str(config.get("id") or ""),
        kind="",
        column=str(kwargs["column"]) if "column" in kwargs else None,
        severity="error" if severity == "critical" else severity,
        outcome=_outcome(item),
        unexpected=found.get("unexpected_count"),
        evaluated=found.get("element_count"),
        examples=(),  # nobody can tell here which columns are sensitive
        message=sentence,
        description=sentence,
        note=None,
        sensitive=False,
    )


def _sentence(name: str, kwargs: Mapping[str, Any]) -> str:
    """An expectation without a description, in words."""
    what = name.removeprefix("expect_").replace("_", " ").capitalize()
    told = {
        key: value for key, value in kwargs.items() if key not in ("batch_id", "result_format") and value is not None
    }
    details = ", ".join(f"{key.replace('_', ' ')} {_plain(value)}" for key, value in told.items())
    return f"{what} ({details})" if details else what


def _plain(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _outcome(item: Mapping[str, Any]) -> str:
    if item.get("success") is True:
        return "held"
    return "error" if _raised(item.get("exception_info")) else "violated"


def _raised(info: object) -> bool:
    """Whether an exception is told of; GX nests this by metric when there were several."""
    if not isinstance(info, Mapping):
        return False
    return info.get("raised_exception") is True or any(map(_raised, info.values()))
