"""``pyramidion rouge``: ROUGE-1.5.5.pl's command line, word for word."""

import sys
from typing import Annotated

import typer

from pyramidion.cli.house import say

__all__ = ["rouge"]


def rouge(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(metavar="[OPTIONS] CONFIGURATION [PEER]", help="As for ROUGE-1.5.5.pl."),
    ] = None,
) -> int:
    r"""Score with ROUGE-1.5.5.pl's own options, configuration files and output, byte for byte.

    Change `ROUGE-1.5.5.pl -n 2 -m -a rouge.xml` into `pyramidion rouge -n 2 -m -a rouge.xml`.

    \b
    -a          all peers                    -n N        ROUGE-1 to ROUGE-N
    -x          no ROUGE-L                   -w W        ROUGE-W with weight W
    -2 D        ROUGE-S, at most D words between (-1: any)
    -u, -U      ROUGE-SU instead of, beside ROUGE-S
    -3 MODE     ROUGE-BE: H, HM, HMR, HM1, HMR1, HMR2
    -m, -M      stem; stem models only       -s          drop stop words
    -l N, -b N  cut to N words, bytes        -f A|B      average or best of the models
    -p A        weight of precision in F     -t 0|1|2    average scores, counts; print counts
    -c C, -r R  confidence, resamples        -d          every evaluation's scores
    -z FORMAT   a list of files instead of a configuration (SPL, SEE, ISI, SIMPLE)
    -e DIR, -v  taken and ignored
    --exceptions off   stem without the table of irregular forms

    The configuration may also be a JSONL stream of {topic, system, peer, references}.
    """
    from pyramidion.rouge.perl_options import parse_perl_options
    from pyramidion.rouge.perl_run import run_perl

    options = parse_perl_options(arguments or [])
    for line in run_perl(options, warn=lambda message: say(f"pyramidion: {message}")):
        sys.stdout.write(f"{line}\n")
    return 0
