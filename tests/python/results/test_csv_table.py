"""Results as comma-separated values."""

import csv
import io

import lapwing
from lapwing.results.csv_table import as_csv


def test_rows_of_a_table() -> None:
    machine = lapwing.load_profile("ranger")
    found = lapwing.predict(machine, "bcast", ranks=[2, 16], sizes=["8", "64KB"])
    rows = list(csv.DictReader(io.StringIO(as_csv(found.document))))
    assert [(row["ranks"], row["size"]) for row in rows] == [
        ("2", "8"),
        ("2", "65536"),
        ("16", "8"),
        ("16", "65536"),
    ]
    for row, entry in zip(rows, found.document["predictions"], strict=True):
        assert float(row["predicted"]) == entry["predicted"]["seconds"]


def test_rows_with_different_fields() -> None:
    document = {
        "lapwing": "predict",
        "predictions": [{"size": 1}, {"size": 2, "note": 'a "word", and more'}],
    }
    assert as_csv(document) == 'size,note\n1,\n2,"a ""word"", and more"\n'


def test_a_result_without_a_table_is_one_row() -> None:
    document = {"lapwing": "ft", "time": {"seconds": 0.5, "error": 0.1}, "ways": [1, 2]}
    assert as_csv(document) == "lapwing,time,time.error\nft,0.5,0.1\n"
