"""Run every measurement: ``python -m bench``."""

from bench import reading, serving

for measure in (reading.measure, serving.measure):
    for line in measure():
        print(line)
