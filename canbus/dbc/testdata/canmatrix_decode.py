# SPDX-License-Identifier: Apache-2.0
"""Decodes frames with canmatrix. Reads one JSON job from stdin, a list of
{"file": path, "frames": [{"id": n, "ext": bool, "data": hex}]}, and writes one
JSON line per job: {"file": path, "error": text or null, "frames": [null or
{"flat": {signal: [raw, physical]}, "selected": [signal] or null}]}.
"selected" are the signals that a simple multiplexer selects."""

import json
import logging
import sys
import warnings

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)

import canmatrix
import canmatrix.formats


def decode(matrix, job):
    arbitration = canmatrix.ArbitrationId(job["id"], extended=job["ext"])
    frame = matrix.frame_by_id(arbitration)
    data = bytes.fromhex(job["data"])
    if frame is None or frame.size != len(data):
        return None
    flat = {}
    for name, value in frame.unpack(data).items():
        flat[name] = [str(value.raw_value), str(value.phys_value)]
    selected = None
    if frame.is_multiplexed and not frame.is_complex_multiplexed:
        selected = sorted(frame.decode(data))
    return {"flat": flat, "selected": selected}


def main():
    out, sys.stdout = sys.stdout, sys.stderr
    for job in json.load(sys.stdin):
        answer = {"file": job["file"], "error": None, "frames": []}
        try:
            matrix = canmatrix.formats.loadp_flat(job["file"])
        except Exception as e:
            answer["error"] = "%s: %s" % (type(e).__name__, e)
            matrix = None
        for frame in job["frames"] if matrix else []:
            try:
                answer["frames"].append(decode(matrix, frame))
            except Exception:
                answer["frames"].append(None)
        print(json.dumps(answer), file=out)


main()
