#!/usr/bin/env bash
# Test the kernels under AddressSanitizer and UBSan (GCC or Clang on Linux), in build/sanitized.
set -euo pipefail
cd "$(dirname "$0")/.."
"${PYTHON:-python3}" -m venv build/sanitized
build/sanitized/bin/pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
build/sanitized/bin/pip install --quiet --disable-pip-version-check . --group test \
	--config-settings=cmake.define.PYRAMIDION_SANITIZE=ON
export LD_PRELOAD="$(c++ -print-file-name=libasan.so) $(c++ -print-file-name=libstdc++.so)"
export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1
build/sanitized/bin/pytest -p no:cacheprovider tests/kernels tests/rouge/test_perl_edges.py \
	tests/rouge/test_properties.py tests/rouge/test_stream.py
