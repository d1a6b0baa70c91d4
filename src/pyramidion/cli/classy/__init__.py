"""``pyramidion classy``: metrics that are trained to predict people."""

import typer

from pyramidion.cli.classy.models import models
from pyramidion.cli.classy.predict import predict
from pyramidion.cli.classy.train import train

__all__ = ["classy"]

classy = typer.Typer(
    name="classy",
    help="Trained metrics: learn from two years what people say of summaries, predict a third.",
    no_args_is_help=True,
)
classy.command()(train)
classy.command()(predict)
classy.command()(models)
