#!/usr/bin/env bash
# Shows the output of verbose tests and ends with one table: what the program
# was put through (lines that peerstest.Count writes), and how the tests went.
# A skipped test is a loud line, and in CI an error; so is a run without tests.
set -euo pipefail
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# The log has all of it; what says that there is nothing is not shown.
tee "$log" | grep --line-buffered -vE '^testing: warning: no tests to run|\[no test files\]|\[no tests to run\]|^PASS$' || true
count() { grep -cE "$1" "$log" || true; }
passed=$(count '^\s*--- PASS')
failed=$(count '^\s*--- FAIL|^FAIL|^panic: ')
skipped=$(count '^\s*--- SKIP')
echo
echo "=== system tests"
for kind in 'load held' 'faults survived' 'bad inputs tried' 'losses and doubles'; do
	awk -F' [|] ' -v kind="$kind" '
		index($0, "count | ") && $2 == kind { if (!seen++) print kind; printf "  %8d  %s\n", $4, $3; sum += $4 }
		END { if (!seen) { print kind; print "         -  nothing was counted" } else if (kind ~ /^losses/ && sum) exit 1 }' "$log" || failed=$((failed + 1))
done
echo
echo "$passed passed, $failed failed, $skipped skipped"
if [ "$skipped" -gt 0 ]; then
	echo
	echo "!!! SKIPPED, so not everything was proved:"
	grep -E -B2 -A1 '^\s*--- SKIP' "$log"
	[ "${CI:-}" != true ] || exit 1
fi
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
