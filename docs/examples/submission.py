"""A Team B of one's own: lava, ramp and platform of every subject from the public tables alone.

    achilles generate quickstart --out results/blind
    achilles export results/blind --format csv --out tables
    python3 docs/examples/submission.py tables > mine.csv
    achilles infer results/blind --submission mine.csv
    achilles score results/blind

Each capability is the proportion of successes on items with the hazard, over that on items without one; both have a
beta posterior with a flat prior. Anything else that prints these four columns can take its place.
"""
import csv
import random
import statistics
import sys

hazards = ["lava", "ramp", "platform"]
items = {row["item"]: row for row in csv.DictReader(open(sys.argv[1] + "/items.csv"))}
counts = {}  # (subject, hazard) -> [failures, successes]; hazard "" is none of them
for row in csv.DictReader(open(sys.argv[1] + "/responses.csv")):
    present = [h for h in hazards if float(items[row["item"]][h]) > 0]
    if row["split"] == "fit" and row["value"] != "" and len(present) < 2:
        counts.setdefault((row["subject"], "".join(present)), [0, 0])[int(float(row["value"]))] += 1

random.seed(1)
out = csv.writer(sys.stdout)
out.writerow(["subject", "parameter", "mean", "sd"])
for subject in sorted({s for s, _ in counts}):
    for h in hazards:
        draws = []
        for _ in range(1000):
            rate = [random.betavariate(1 + ok, 1 + failed) for failed, ok in (counts.get((subject, x), [0, 0]) for x in (h, ""))]
            draws.append(min(1, rate[0] / rate[1]))
        out.writerow([subject, h, statistics.mean(draws), statistics.stdev(draws)])
