"""The public names, and the modules they are loaded from."""

from pyramidion.engine._cluster import DaskCluster as DaskCluster
from pyramidion.engine._sums import ExactSums as ExactSums
from pyramidion.engine.engines import Cores as Cores
from pyramidion.engine.engines import Engine as Engine
from pyramidion.engine.engines import InProcess as InProcess
from pyramidion.engine.engines import open_engine as open_engine
from pyramidion.engine.jobs import Job as Job
from pyramidion.engine.jobs import JobReport as JobReport
from pyramidion.engine.jobs import run_parts as run_parts
