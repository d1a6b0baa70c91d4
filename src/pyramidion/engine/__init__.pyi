"""The public names, and the modules they are loaded from."""

from pyramidion.engine._engines import Cores as Cores
from pyramidion.engine._engines import DaskCluster as DaskCluster
from pyramidion.engine._engines import Engine as Engine
from pyramidion.engine._engines import InProcess as InProcess
from pyramidion.engine._engines import open_engine as open_engine
from pyramidion.engine._jobs import Job as Job
from pyramidion.engine._jobs import JobReport as JobReport
from pyramidion.engine._jobs import run_parts as run_parts
from pyramidion.engine._sums import ExactSums as ExactSums
