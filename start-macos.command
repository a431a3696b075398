#!/bin/sh
# Starts the companion by a double click. Where there is no Python that is new enough, uv fetches one for this alone.
cd "$(dirname "$0")" || exit 1
if python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
  exec python3 run.py "$@"
fi
PATH="$HOME/.local/bin:$PATH"
command -v uv >/dev/null || curl -LsSf https://astral.sh/uv/install.sh | sh
exec uv run --no-project --python 3.13 run.py "$@"
