"""``pyramidion rouge``: ROUGE-1.5.5.pl's command line, word for word."""

import sys
from typing import Annotated

import typer

from pyramidion.cli.house import say

__all__ = ["rouge"]


def rouge(
    context: typer.Context,
    arguments: Annotated[
        list[str] | None,
        typer.Argument(metavar="CONFIGURATION [PEER]", help="As for ROUGE-1.5.5.pl."),
    ] = None,
) -> int:
    """Take ROUGE-1.5.5.pl's options and files, and print its output byte for byte.

    In a script, change the word `ROUGE-1.5.5.pl` into `pyramidion rouge`.

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
    -c C, -r R   confidence in per cent (95), resamples (1000)
    -d           every evaluation's scores too
    -z FORMAT    a list of files, not a configuration: SPL, SEE, ISI, SIMPLE
    -e DIR, -v   taken and ignored
    -h, -H       this page
    --exceptions off
                 stem without the table of irregular forms, as many installations

    The configuration may also be a stream: on each line a JSON object with
    topic, system, peer and references.
    """
    from pyramidion.rouge.perl_options import parse_perl_options
    from pyramidion.rouge.perl_run import run_perl

    given = arguments or []
    if {"-h", "-H"} & set(given):
        typer.echo(context.get_help())
        return 0
    options = parse_perl_options(given)
    for line in run_perl(options, warn=lambda message: say(f"pyramidion: {message}")):
        sys.stdout.write(f"{line}\n")
    return 0
