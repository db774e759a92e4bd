"""Prints the outcome of every test in a JUnit file, sorted by name, without what two runs do not have in common."""
import sys
import xml.etree.ElementTree as xml

outcomes = []
for case in xml.parse(sys.argv[1]).iter("testcase"):
    outcome = next((child.tag for child in case if child.tag in ("failure", "error", "skipped")), "ok")
    outcomes.append(f"{case.get('name')}: {outcome}")
    # Why a test failed: for the reader of a difference, which filters take out of the comparison.
    for child in case:
        if child.tag in ("failure", "error"):
            outcomes.extend(f"{case.get('name')} | {line}" for line in (child.text or "").splitlines())
print("\n".join(sorted(outcomes, key=lambda line: line.partition(" | ")[0].partition(": ")[0])))
