"""``pyramidion rouge``: ROUGE-1.5.5.pl's command line, word for word."""

import sys
from dataclasses import dataclass
from pathlib import Path

from pyramidion.errors import LONGEST, shortened, visible
from pyramidion.questions import Options, argument, question
from pyramidion.rouge._perl_command import from_xml, parse_perl_options, printed, run_perl


@dataclass(frozen=True, slots=True)
class PerlArguments(Options):
    """The arguments of the Perl script."""

    arguments: tuple[str | Path, ...] = argument(
        "Options, configuration and peers, as for ROUGE-1.5.5.pl.", (),
        metavar="CONFIGURATION [PEER]",
    )  # fmt: skip


@question
def rouge(typed: PerlArguments) -> None:
    """Replace ROUGE-1.5.5.pl, with the same options, files and byte for byte the same output.

    In a script, replace `ROUGE-1.5.5.pl` with `pyramidion rouge`.

    -a           all peers, or name one after the configuration
    -n N         ROUGE-1 to ROUGE-N
    -x           no ROUGE-L
    -w W         ROUGE-W with weight W
    -2 D         ROUGE-S, at most D words between (-1: any)
    -u, -U       ROUGE-SU instead of ROUGE-S, both
    -3 MODE      ROUGE-BE: H, HM, HMR, HM1, HMR1, HMR2
    -m, -M       stem; stem models only
    -s           leave stop words out
    -l N, -b N   cut to N words, to N bytes
    -f A|B       average of the models, best model
    -p A         weight of precision in F (0.5)
    -t 0|1|2     average scores; average counts; print counts
    -c C, -r R   confidence in percent (95), resamples (1000)
    -d           every evaluation's scores too
    -z FORMAT    a list of files, not a configuration: SPL, SEE, ISI, SIMPLE
    -e DIR       folder of the stop list and the table of irregular forms
    -v           accepted and ignored
    -h, -H       this page
    --exceptions off
                 stem without the table of irregular forms, as many installations do

    The configuration may also be a stream: on each line a JSON object with
    topic, system, peer and references; or a folder of such files (or s3://bucket/folder,
    where fsspec supports it), which can be counted with
    --engine cores --workers N, or --engine dask --scheduler ADDRESS.
    """
    options = parse_perl_options([str(word) for word in typed.arguments])
    # Bytes for files and pipes; characters for terminals and text streams.
    byte_stream = None if sys.stdout.isatty() else getattr(sys.stdout, "buffer", None)
    latin = byte_stream is not None and from_xml(options)
    for line in run_perl(options, warn=_warn):
        if byte_stream is None:
            sys.stdout.write(f"{visible(line)}\n")
        else:
            byte_stream.write(printed(f"{line}\n", latin=latin))


def _warn(message: str) -> None:
    print(shortened(visible(f"pyramidion: {message}"), LONGEST), file=sys.stderr)
