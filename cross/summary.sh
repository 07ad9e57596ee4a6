#!/usr/bin/env bash
# Shows the output of verbose tests and ends with one table. A skipped test is
# a loud line, and in CI an error.
set -euo pipefail
log=$(mktemp)
trap 'rm -f "$log"' EXIT
tee "$log"
passed=$(grep -cE '^\s*--- PASS' "$log" || true)
failed=$(grep -cE '^\s*--- FAIL|^FAIL' "$log" || true)
skipped=$(grep -cE '^\s*--- SKIP' "$log" || true)
echo
echo "system tests: $passed passed, $failed failed, $skipped skipped"
if [ "$skipped" -gt 0 ]; then
	echo "SKIPPED:"; grep -E -A2 '^\s*--- SKIP' "$log"
	[ "${CI:-}" = true ] && exit 1
fi
[ "$failed" -eq 0 ]
