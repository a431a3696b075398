@echo off
rem Starts the companion by a double click. Where there is no Python that is new enough, uv fetches one for this alone.
cd /d "%~dp0"
py -3 -c "import sys; sys.exit(sys.version_info < (3, 11))" >nul 2>nul
if not errorlevel 1 (
  py -3 run.py %*
  goto ended
)
set "PATH=%USERPROFILE%\.local\bin;%PATH%"
where uv >nul 2>nul || powershell -NoProfile -ExecutionPolicy Bypass -Command "irm https://astral.sh/uv/install.ps1 | iex"
uv run --no-project --python 3.13 run.py %*
:ended
if errorlevel 1 pause
