import pyramidion
from pyramidion.collection._questions import Signature


def test_parts_stand_in_their_order():
    full = Signature("rouge-2(stem)", data="3f2a0c11", seed=0, details=(("tok", "rouge"),))
    version = f"v{pyramidion.__version__}"
    assert str(full) == f"rouge-2(stem)|tok:rouge|{version}|seed:0|data:3f2a0c11"
    assert str(Signature("describe")) == f"describe|{version}"
