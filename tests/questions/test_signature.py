import numpy as np
import scipy

import pyramidion
from pyramidion.kernels import BACKEND
from pyramidion.questions import Signature


def test_parts_stand_in_their_order():
    full = Signature("rouge-2(stem)", data="3f2a0c11", seed=0, details=(("tok", "rouge"),))
    version = f"v{pyramidion.__version__}"
    # What draws at random is named where something is drawn, and kernels that are not compiled.
    slow = "" if BACKEND == "native" else f"|kernels:{BACKEND}"
    versions = f"|numpy:{np.__version__}|scipy:{scipy.__version__}{slow}"
    assert str(full) == f"rouge-2(stem)|tok:rouge|{version}{versions}|seed:0|data:3f2a0c11"
    assert str(Signature("describe")) == f"describe|{version}{slow}"
