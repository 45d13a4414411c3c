"""The documents name tests, files and exit codes: do these exist?"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CODE_FOLDERS = ("src", "testing", "tests", "cli", "tools")
PAGES = sorted(
    page
    for pattern in ("*.md", "docs/**/*.md", "changes/*.md")
    for page in ROOT.glob(pattern)
)


def sources(suffix):
    return [path for folder in CODE_FOLDERS for path in (ROOT / folder).rglob("*" + suffix)]


def known_tests():
    names = set()
    for path in sources(".cc"):
        for suite, name in re.findall(r"\bTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\s*\)", path.read_text(encoding="utf-8")):
            names.add(f"{suite}.{name}")
    for path in sources(".py"):
        for name in re.findall(r"^\s*def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            names.add(f"{path.name}::{name}")
    return names


def test_promises_name_tests_that_exist():
    text = (ROOT / "docs/promises.md").read_text(encoding="utf-8")
    cited = set(re.findall(r"`([A-Z]\w+\.[A-Z]\w+|\w+\.py::test_\w+)`", text))
    assert len(cited) > 50
    assert cited - known_tests() == set()


def test_the_page_on_stores_names_tests_and_questions_that_exist():
    text = (ROOT / "docs/design/stores.md").read_text(encoding="utf-8")
    cited = set(re.findall(r"`([A-Z]\w+\.[A-Z]\w+)`", text))
    assert len(cited) > 30
    assert cited - known_tests() == set()
    asked = set()
    for path in (ROOT / "tests/conformance").glob("wire_*_checks.cc"):
        asked |= set(re.findall(r'\{"([a-z][a-z ]*: [^"]+)",', path.read_text(encoding="utf-8")))
    assert f"{len(asked)} questions" in text
    questions = set(re.findall(r"`([a-z][a-z ]*: [^`]+)`", text))
    assert len(questions) > 20
    assert questions - asked == set()


def test_every_promise_and_every_case_has_a_row():
    text = (ROOT / "docs/promises.md").read_text(encoding="utf-8")
    assert re.findall(r"^### (P\d+) ", text, re.MULTILINE) == [f"P{n}" for n in range(1, 11)]
    rows = re.findall(r"^\| (C\d+) \| (.*) \| (.*) \|$", text, re.MULTILINE)
    assert [case for case, _, _ in rows] == sorted({case for case, _, _ in rows}, key=lambda case: int(case[1:]))
    assert len(rows) == 78
    assert [case for case, _, where in rows if not where.strip()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files(page):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = [target.split("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]
    assert [target for target in targets if target and not (page.parent / target).exists()] == []


def test_exit_codes_of_the_guide_are_those_of_the_program():
    header = (ROOT / "cli/exit_codes.h").read_text(encoding="utf-8")
    rows = re.findall(r'\{ExitCode::\w+,\s*"([^"]+)",\s*((?:"[^"]*"\s*)+)\}', header)
    meanings = ["".join(re.findall(r'"([^"]*)"', text)) for _, text in rows]
    expected = [f"| {code} | {rows[code][0]} | {meaning} |" for code, meaning in enumerate(meanings)]
    assert len(expected) > 10
    guide = (ROOT / "docs/guide/cli.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in guide if re.match(r"\| \d+ \|", line)] == expected


def test_the_guide_names_every_option_of_the_commands():
    guide = (ROOT / "docs/guide/cli.md").read_text(encoding="utf-8")
    options = set()
    for path in (ROOT / "cli").glob("*.cc"):
        if path.name not in ("demo.cc", "main.cc"):
            added = r'\b(?:add_(?:option|flag)|Add(?:Option|Flag|List))\("(--[a-z0-9-]+)'
            options |= set(re.findall(added, path.read_text(encoding="utf-8")))
    assert len(options) > 20
    assert {option for option in options if option not in guide} == set()


def test_the_guide_of_doctor_has_every_finding():
    source = (ROOT / "src/doctor/finding_table.cc").read_text(encoding="utf-8")
    named = dict(re.findall(r'constexpr std::string_view (k\w+) =\s*"([^"]*)"', source))
    row = r'FindingRow\{\s*"([^"]+)",\s*"([^"]+)",\s*k(\w+),\s*((?:"[^"]*"\s*)+|k\w+)\}'
    rows = set()
    for name, answer, verdict, meaning in re.findall(row, source):
        text = named.get(meaning) or "".join(re.findall(r'"([^"]*)"', meaning))
        rows.add(f"| `{name}` | {answer} | {verdict.lower()} | {text} |")
    assert len(rows) == source.count("FindingRow{") > 100
    guide = (ROOT / "docs/guide/doctor.md").read_text(encoding="utf-8").splitlines()
    assert {line for line in guide if re.match(r"\| `[a-z0-9.-]+` \| .* \| .* \| ", line)} == rows
