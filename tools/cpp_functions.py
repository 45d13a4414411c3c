"""Finds the functions of a C++ source by their braces. It knows formatted code, not the language."""

import re

SCOPE = re.compile(r"^(inline\s+)?namespace\b|^extern\s*$|^(template\s*<.*>\s*)?(class|struct|union|enum)\b", re.DOTALL)
# Comments, strings and characters: what may hold braces that open nothing.
QUIET = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'', re.DOTALL
)


def blanked(text):
    """`text` with comments, strings and preprocessor lines blanked out; every character keeps its line."""
    text = QUIET.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.MULTILINE)


def opens_function(header):
    """Does the text before a brace, back to the last statement, begin a function?"""
    header = re.sub(r"\boperator\s*[^\s\w(]+", "operator", header).strip()
    header = re.sub(r"^((public|private|protected)\s*:\s*)+", "", header)
    if "(" not in header or SCOPE.match(header):
        return False
    return re.search(r"(=|\breturn)\s*[\w:<>\s]*$", header) is None


def name_of(header):
    if operator := re.search(r"operator\s*[^\s\w(]+", header):
        return operator[0]
    without_template_arguments = re.sub(r"<[^<>]*(<[^<>]*>[^<>]*)*>", "", header)
    name = re.search(r"([\w:~]+)\s*\(", without_template_arguments)
    return name[1] if name else "a function"


def find(text):
    """(first line, last line, name) of each function; a lambda counts to the function around it."""
    code = blanked(text)
    found = []
    # For each open brace: is it a namespace or a class?
    scopes = []
    start = None  # of the function that is open, as (depth, line, name)
    begin = 0  # where the text before the next brace begins
    for match in re.finditer(r"[{};]", code):
        at, mark = match.start(), match[0]
        header = code[begin:at]
        if mark == "{":
            if start is None and all(scopes) and opens_function(header):
                first = begin + len(header) - len(header.lstrip())
                start = (len(scopes), code.count("\n", 0, first) + 1, name_of(header))
            scopes.append(SCOPE.match(header.strip()) is not None)
        elif mark == "}" and scopes:
            scopes.pop()
            if start is not None and len(scopes) == start[0]:
                found.append((start[1], code.count("\n", 0, at) + 1, start[2]))
                start = None
        begin = at + 1
    return found
