# SPDX-License-Identifier: Apache-2.0
"""A foreign node on the bench bus: python-can's socketcand client.

usage: python_can.py HOST PORT BUS COUNT
Sends one frame per line of stdin ("ID [x] HEX") after it has read it, prints
"ready" when it has joined, every frame received as "ID HEX", and ends after
COUNT frames.

usage: python_can.py slcan DEVICE COUNT
The same over a serial adapter.

usage: python_can.py log FILE
Prints every message of a candump log: time, channel, ID, flags, data."""

import logging
import sys

logging.basicConfig(stream=sys.stderr)

import can


def node(host, port, channel, count):
    talk(can.Bus(interface="socketcand", host=host, port=int(port), channel=channel), count)


def talk(bus, count):
    print("ready", flush=True)
    for line in sys.stdin:
        fields = line.split()
        data = bytes.fromhex(fields[-1]) if len(fields[-1]) % 2 == 0 and len(fields) > 1 and fields[-1] != "x" else b""
        bus.send(can.Message(arbitration_id=int(fields[0], 16), is_extended_id="x" in fields, data=data))
    for _ in range(int(count)):
        message = bus.recv(timeout=20)
        if message is None:
            sys.exit("no frame within 20 s")
        print("%X %s" % (message.arbitration_id, message.data.hex().upper()), flush=True)
    bus.shutdown()


def log(path):
    for m in can.CanutilsLogReader(path):
        kind = "error" if m.is_error_frame else "remote" if m.is_remote_frame else "data"
        print("%.6f %s %X %s %s %s %d" % (m.timestamp, m.channel, m.arbitration_id, "x" if m.is_extended_id else "s",
                                          kind, "rx" if m.is_rx else "tx", m.dlc), m.data.hex().upper())


if sys.argv[1] == "log":
    log(sys.argv[2])
elif sys.argv[1] == "slcan":
    talk(can.Bus(interface="slcan", channel=sys.argv[2], bitrate=500000), sys.argv[3])
else:
    node(*sys.argv[1:])
