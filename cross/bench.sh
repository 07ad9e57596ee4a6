#!/usr/bin/env bash
# Prints the figures of the budgets beside the budgets (docs/performance.md).
# Figures are of this machine at this moment; nothing fails on them.
set -euo pipefail
cd "$(dirname "$0")/.."
tmp=$(mktemp -d)
trap 'kill %1 2>/dev/null || true; rm -rf "$tmp"' EXIT
row() { printf '%-46s %16s   %s\n' "$1" "$2" "$3"; }

row "what" "here" "budget"
go test ./harness -run '^$' -bench 'BenchmarkVerify$' -benchtime 500ms -count 5 >"$tmp/verify"
for name in reply read clean-write owed chain four-writes; do
	ns=$(awk -v n="BenchmarkVerify/$name" 'index($1, n)==1 {if (min=="" || $3<min) min=$3} END {printf "%.1f", min/1000}' "$tmp/verify")
	row "verification: $name (best of 5)" "$ns µs" "median 20 µs, none over 2000 µs"
done

go test ./vehicle -run '^$' -bench 'Receive' -benchtime 500ms -count 3 >"$tmp/rx"
awk '/^Benchmark/ {if (min=="" || $3<min) min=$3} END {printf "%.0f", min}' "$tmp/rx" >"$tmp/ns"
row "CAN receive, decode and state, per frame" "$(cat "$tmp/ns") ns" ""
row "CAN receive at 8,000 frames/s" "$(awk '{printf "%.2f", $1*8000/1e7}' "$tmp/ns") % of a core" "10 %"

bin=bin/carguardd
row "binary, this machine, stripped" "$(( $(stat -c %s "$bin") / 1000 )) kB" "30,000 kB on arm"
for arch in arm arm64; do
	CGO_ENABLED=0 GOOS=linux GOARCH=$arch GOARM=7 go build -trimpath -ldflags '-s -w' -o "$tmp/$arch" ./cmd/carguardd
	row "binary, $arch, stripped" "$(( $(stat -c %s "$tmp/$arch") / 1000 )) kB" "30,000 kB"
done

best=999999
for _ in 1 2 3 4 5; do
	ms=$("$bin" bench --student offline --startup-time)
	[ "$ms" -lt "$best" ] && best=$ms
done
row "start to ready, simulated car included (best of 5)" "$best ms" "300 ms"

mkfifo "$tmp/in"
"$bin" bench --student offline <"$tmp/in" >/dev/null &
exec 9>"$tmp/in"
sleep 3
rss() { echo "$(( $(awk '/VmRSS/ {print $2}' "/proc/$1/status") / 1000 )) MB"; }
row "idle memory, simulated car and broker included" "$(rss $!)" "40 MB"
exec 9>&-

# Ten thousand turns with a journal: commands that write, most of them.
mkfifo "$tmp/talk"
"$bin" bench --fast --student offline --store "$tmp/state" <"$tmp/talk" >"$tmp/said" &
pid=$!
exec 8>"$tmp/talk"
for ((i = 0; i < 2500; i++)); do
	printf '%s\n' "turn on the air conditioning" "open the driver window halfway" "close all windows" "turn the air conditioning off"
done >&8 &
until [ "$(grep -c ' turn bench-' "$tmp/said")" -ge 10000 ]; do
	kill -0 $pid
	sleep 1
done
at_once=$(rss $pid)
sleep 35 # it gives memory back when nobody has spoken for some seconds
row "memory after 10,000 turns, journal included" "$(rss $pid)" "60 MB"
row "... at once after the last, all without a pause" "$at_once" ""
exec 8>&-
wait $pid
best=999999
for _ in 1 2 3 4 5; do
	ms=$("$bin" bench --student offline --store "$tmp/state" --startup-time)
	[ "$ms" -lt "$best" ] && best=$ms
done
row "start to ready with that journal (best of 5)" "$best ms" "300 ms"
row "the journal of 10,000 turns" "$(( $(du -s "$tmp/state" | cut -f1) / 1000 )) MB" ""
