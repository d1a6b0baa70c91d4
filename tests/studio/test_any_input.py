"""Whatever is sent, the studio says what is wrong with it and lives on."""

import re
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from studio.blind import Blind, blind_studio


@pytest.fixture
def blind(studio) -> Blind:
    return blind_studio(studio)


def tried(examples: int) -> Any:
    return settings(
        max_examples=examples, deadline=None, database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate],
    )  # fmt: skip


def operations(blind: Blind, examples: int, step: int = 1) -> Counter[int]:
    """Send what fits the description of the API, and what does not; count the answers.

    An assessor sends it, then an organizer.
    """
    schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
    clients, counts = (blind.ann, blind.studio.organizer), Counter[int]()
    schema = schemathesis.openapi.from_dict(blind.studio.app.openapi())
    for operation in [operation.ok() for operation in schema.get_all_operations()][::step]:
        kinds = ["evaluation" if "evaluation" in operation.path else "desk", "item"]
        desks = {"desk": [*blind.tokens["sheet"], *blind.tokens["board"]], **blind.tokens}
        # Any text is a token, so only bodies can be wrong.
        for mode in list(schemathesis.GenerationMode)[: 2 if len(operation.body) else 1]:

            @tried(examples)
            @given(
                operation.as_strategy(generation_mode=mode),
                st.tuples(*(st.none() | st.sampled_from(desks[kind]) for kind in kinds)),
            )
            def attempt(case: Any, tokens: tuple[str | None, ...]) -> None:
                # Random texts are no tokens: some are those of the person's own work.
                for name, token in zip(case.path_parameters, tokens, strict=False):
                    case.path_parameters[name] = token or case.path_parameters[name]
                sent = case.as_transport_kwargs(base_url="http://127.0.0.1")
                sent.pop("cookies", None)
                if "data" in sent:
                    sent["content"] = sent.pop("data")
                for client in clients:
                    answer = client.request(**sent)
                    assert answer.status_code < 500, (sent, answer.text)
                    counts[answer.status_code] += 1

            attempt()
    return counts


def test_the_api_takes_anything(blind):
    assert operations(blind, examples=1, step=1).total() >= 20


@pytest.mark.long
def test_the_api_takes_anything_for_long(blind):
    counts = operations(blind, examples=60)
    print(counts)
    assert min(counts[200], counts[404], counts[422]) > 100


PAGES = ("people", "settings", "assign", "guidelines/responsiveness", "pyramids", "export")
FORM = re.compile(r"<form(.*?)>(.*?)</form>", re.DOTALL)
NAMES = re.compile(r"""<(?:input|select|textarea|button)[^>]*?\bname=["']?([\w-]+)""")


def forms(blind: Blind) -> dict[str, set[str]]:
    """Return the forms of an organizer's pages: where they go, and their fields."""
    fields: dict[str, set[str]] = {}
    for page in PAGES:
        path = f"/evaluations/{blind.tokens['evaluation'][0]}/{page}"
        for attributes, inside in FORM.findall(blind.studio.organizer.get(path).text):
            action = re.search(r'action="([^"]*)"', attributes)
            if "post" in attributes and "logout" not in attributes:
                names = set(NAMES.findall(inside)) - {"csrf"}
                fields.setdefault(action[1] if action else path, set()).update(names)
    return fields


VALUES = st.text(max_size=30) | st.sampled_from(
    [
        "",
        "0",
        "-1",
        "1",
        "5",
        "1e9",
        "50%",
        "A",
        "T1",
        "judge",
        "Ann",
        "on",
        "x" * 5000,
        "\0",
        "1-5",
    ]
)


def every_form(blind: Blind, examples: int) -> int:
    """Send anything by the forms of organizers."""
    client, sent = blind.studio.organizer, 0
    for action, names in forms(blind).items():

        @tried(examples)
        @given(st.just(action), st.fixed_dictionaries({}, optional=dict.fromkeys(names, VALUES)))
        def attempt(path: str, data: dict[str, str]) -> None:
            nonlocal sent
            sent += 1
            answer = client.post(path, data=data)
            assert answer.status_code < 500, (path, data, answer.text)

        attempt()
    return sent


def test_forms_take_anything(blind):
    assert every_form(blind, examples=3) > 10


@pytest.mark.long
def test_forms_take_anything_for_long(blind):
    assert every_form(blind, examples=150) > 400
