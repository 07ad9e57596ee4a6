# SPDX-License-Identifier: Apache-2.0
"""A foreign node on a bus: python-can's socketcand client, with canmatrix for
what frames mean.

usage: python_node.py HOST PORT BUS DBC

Prints "ready" when it has joined, then a JSON line for every frame that is not
as the last one of its message: {"message": name, "signals": {signal: value},
"count": n}; counters are left out, and so is a signal that asks for nothing (NoRequest);
a command is always printed. count is how many frames of the message came so far. Lines on
standard input:

    send MESSAGE SIGNAL=VALUE ...   sends a frame; other signals as last seen
    every SECONDS MESSAGE ...       the same in a cycle, until the next one
    quit                            leaves
"""

import json
import logging
import sys
import threading
import time
import warnings

warnings.simplefilter("ignore")
logging.basicConfig(stream=sys.stderr, level=logging.ERROR)

import can
import canmatrix
import canmatrix.formats

host, port, channel, dbc = sys.argv[1:]
matrix = canmatrix.formats.loadp_flat(dbc)
bus = can.Bus(interface="socketcand", host=host, port=int(port), channel=channel)
lock = threading.Lock()  # of everything that follows, and of writing
seen, counts, cyclic, last = {}, {}, {}, {}


def values(frame, data):
    decoded = frame.unpack(bytes(data)).items()
    return {name: float(v.phys_value) for name, v in decoded if v.signal.values.get(v.raw_value) != "NoRequest"}


def frame_of(message):
    f = matrix.frame_by_id(canmatrix.ArbitrationId(message.arbitration_id, extended=False))
    return f if f is not None and f.size == len(message.data) else None


def listen():
    while True:
        message = bus.recv(timeout=0.5)
        if message is None:
            continue
        frame = frame_of(message)
        if frame is None:
            print(json.dumps({"message": "", "id": message.arbitration_id}), flush=True)
            continue
        with lock:
            got = values(frame, message.data)
            counts[frame.name] = counts.get(frame.name, 0) + 1
            told = {k: v for k, v in got.items() if not k.endswith("Counter")}
            news = frame.name.endswith("Command") or seen.get(frame.name) != told
            seen[frame.name], last[frame.name] = told, got
            if news:
                print(json.dumps({"message": frame.name, "signals": told, "count": counts[frame.name]}), flush=True)


def payload(name, settings):
    """The frame's bytes: the settings over what was last seen of it."""
    frame = matrix.frame_by_name(name)
    raw = dict(last.get(name) or {s.name: 0 for s in frame.signals})
    for text in settings:
        signal, value = text.split("=")
        raw[signal] = float(value)
    last[name] = raw
    return can.Message(arbitration_id=frame.arbitration_id.id, is_extended_id=False, data=bytes(frame.encode(raw)))


def cycle():
    due = {}
    while True:
        time.sleep(0.005)
        with lock:
            for name, (period, settings) in cyclic.items():
                if due.get(name, 0) <= time.monotonic():
                    due[name] = time.monotonic() + period
                    bus.send(payload(name, settings))


for work in (listen, cycle):
    threading.Thread(target=work, daemon=True).start()
print("ready", flush=True)
for line in sys.stdin:
    verb, *args = line.split()
    if verb == "quit":
        break
    with lock:
        if verb == "send":
            bus.send(payload(args[0], args[1:]))
        elif verb == "every":
            cyclic[args[1]] = (float(args[0]), args[2:])
        else:
            sys.exit("what is %r?" % line)
