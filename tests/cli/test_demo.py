"""`tailrace demo` does what it tells."""

from conftest import INVALID, NOT_FOUND, PRECONDITION, make_table, rows_of, run, write_inputs


def test_made_up_rows(at):
    done = run("demo", "--dir", at.folder / "demo")
    assert "does not exist" in done.out and "goes on after 100,000 rows" in done.out
    assert "committed: 300,000 rows" in done.out and "Try next:" in done.out
    assert rows_of(at.folder / "demo" / "sales.parquet").column("id").to_pylist() == list(range(300_000))
    # Its results are not overwritten.
    run("demo", "--dir", at.folder / "demo", code=PRECONDITION)


def test_a_csv_of_ones_own(at):
    csv = write_inputs(at.folder, make_table(5000))["csv"]
    run("demo", "--csv", csv, "--dir", at.folder / "demo", "--checkpoint-every", "1000rows")
    assert rows_of(at.folder / "demo" / "in.parquet").num_rows == 5000


def test_too_few_rows_are_refused(at):
    csv = write_inputs(at.folder, make_table(100))["csv"]
    run("demo", "--csv", csv, "--dir", at.folder, code=INVALID)
    run("demo", "--csv", at.folder / "missing.csv", "--dir", at.folder, code=NOT_FOUND)
