"""Check a summary that was written elsewhere."""

from pyramidion.summarizers import guard_summary

documents = [
    "Mayor Ida Lind opened the school in Ardel as a shelter on Monday.",
    "Ferries between Ardel and Skov were cancelled for two days.",
]
summary = (
    "Ida Lind opened the school. Prime Minister Stoltenberg resigned. "
    "Ferries to Skov stood still for two days."
)
report = guard_summary(summary, documents)
print(*report.lines(), sep="\n")
for item in report.failed:
    print(item.written.text, item.reasons)
