"""Write the snapshots anew, and tell which changed: `make snapshots`."""

import sys
import tempfile
import time
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from snapshots.cases import CASES, LONG
from snapshots.inputs import provide
from snapshots.recording import RECORDED, difference, path_of, record, save


def main(names: list[str]) -> None:
    """Record the named cases; or all, and remove what no case has any more."""
    warnings.simplefilter("error")
    used = {}
    with tempfile.TemporaryDirectory() as working_folder:
        folder = Path(working_folder).resolve()
        for name in names or CASES:
            used[name] = _update(name, folder)
    for path in () if names else sorted(set(RECORDED.iterdir()) - set(map(path_of, CASES))):
        path.unlink()
        print(f"removed {path.name}")
    short = sum(seconds for name, seconds in used.items() if name not in LONG)
    print(f"{short:.1f} s of CPU time, and {sum(used.values()) - short:.1f} s in long tests")


def _update(name: str, folder: Path) -> float:
    provide(CASES[name], folder)
    begin = time.process_time()
    text = record(CASES[name], folder)
    used = time.process_time() - begin
    changed = difference(name, text)
    if changed:
        save(name, text)
    print(f"{used:7.2f} s {path_of(name).stat().st_size:8} bytes  {name}")
    if changed:
        print(changed)
    return used


if __name__ == "__main__":
    main(sys.argv[1:])
