"""Runs a program in a terminal of its own, as a shell does: input and output of this process are its keyboard and screen.

The program has the foreground to itself, so that Ctrl+C (\\x03) reaches its whole process group, and nothing else. This
ends when no process of that group is left, with the program's exit code: 128 + N where signal N ended it. SIGTERM kills
them all.
"""

import os
import pty
import select
import signal
import sys
import time


def run_in_foreground(command):
    program = os.fork()
    if program == 0:
        os.setpgid(0, 0)
        # Until it has the foreground, this would stop it.
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execvp(command[0], command)
    signal.signal(signal.SIGTERM, lambda *_: os.killpg(program, signal.SIGKILL))
    code = os.waitstatus_to_exitcode(os.waitpid(program, 0)[1])
    while is_group_alive(program):
        time.sleep(0.05)
    os._exit(code if code >= 0 else 128 - code)


def is_group_alive(group):
    if not os.path.exists("/proc/self/stat"):
        try:
            os.killpg(group, 0)
            return True
        except ProcessLookupError:
            return False
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/stat", encoding="utf-8") as file:
                state, _parent, its_group = file.read().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        # A process that ended is listed until its parent has looked.
        if int(its_group) == group and state != "Z":
            return True
    return False


def connect(terminal):
    sources = [terminal, 0]
    while True:
        for source in select.select(sources, [], [])[0]:
            try:
                data = os.read(source, 65536)
            except OSError:  # How Linux reports the end of a terminal.
                data = b""
            if data:
                os.write(1 if source == terminal else terminal, data)
            elif source == terminal:
                return
            else:
                sources.remove(0)


leader, terminal = pty.fork()
if leader == 0:
    run_in_foreground(sys.argv[1:])
signal.signal(signal.SIGTERM, lambda *_: os.kill(leader, signal.SIGTERM))
connect(terminal)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(leader, 0)[1]))
