#!/usr/bin/env bash
# Runs every fuzz target of the repository for the given time each.
set -euo pipefail
time="${1:-10s}"
n=0
for dir in $(git ls-files '*_test.go' | xargs grep -lE '^func Fuzz' | xargs -n1 dirname | sort -u); do
	for target in $(grep -hoE '^func (Fuzz[A-Za-z0-9_]+)' "$dir"/*_test.go | awk '{print $2}' | sort -u); do
		printf 'fuzz %-28s %s\n' "$target" "$dir"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "./$dir" >/tmp/fuzz.$$ 2>&1 || { cat /tmp/fuzz.$$; exit 1; }
		n=$((n + 1))
	done
done
rm -f /tmp/fuzz.$$
echo "fuzz: $n targets, $time each, no failure"
