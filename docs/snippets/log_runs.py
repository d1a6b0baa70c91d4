"""Write two small runs as promptfoo does, for the page on logs: baseline and candidate."""

import json
import random
from pathlib import Path

PROMPT = "Summarize in one sentence: {{text}}"
SUBJECTS = ["bridge", "school", "harbor", "library", "museum", "tram", "market", "river"]
draw = random.Random(7)


def result(number: int, provider: str, skill: float) -> dict[str, object]:
    """Return one graded answer; items are equally hard for both runs."""
    subject = SUBJECTS[number % len(SUBJECTS)]
    hard = random.Random(number).random()
    score = round(min(1.0, max(0.0, skill - 0.5 * hard + draw.gauss(0, 0.08))), 3)
    passes = score > 0.45
    return {
        "testIdx": number,
        "vars": {"text": f"News item {number} about the {subject}."},
        "metadata": {"subject": subject},
        "provider": {"id": provider},
        "prompt": {"raw": PROMPT, "label": PROMPT},
        "promptIdx": 0,
        "success": passes,
        "score": score,
        "gradingResult": {"pass": passes, "score": score, "componentResults": []},
        "response": {"output": f"A sentence about the {subject}."},
        "failureReason": 0 if passes else 1,
        "latencyMs": 400 + draw.randrange(200),
        "cost": 0.0001,
    }


for name, provider, skill in [("baseline", "model:a", 0.80), ("candidate", "model:b", 0.92)]:
    results = [result(number, provider, skill) for number in range(48)]
    log = {
        "evalId": f"eval-{name}",
        "results": {"version": 3, "timestamp": "2026-11-01T12:00:00Z", "results": results},
        "config": {"prompts": [PROMPT]},
    }
    folder = Path("logs", name)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "output.json").write_text(json.dumps(log), encoding="utf-8")
