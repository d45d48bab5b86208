"""Lines that flood: frames as a browser writes them, and too many of them."""

from websockets.frames import Frame, Opcode

from vitviz.ui.server.gate.frames import BURST, FRAMES

MOST = int(FRAMES * BURST)  # frames that may come at once
TOO_MANY = 10 * MOST


def written(opcode: Opcode, data: bytes = b"", *, fin: bool = True) -> bytes:
    """A frame as a browser sends it."""
    return bytes(Frame(opcode, data, fin=fin).serialize(mask=True))


FLOODS = {
    "a message that never ends": written(Opcode.TEXT, fin=False) + written(Opcode.CONT, fin=False) * TOO_MANY,
    "pings": written(Opcode.PING) * TOO_MANY,
    "pongs": written(Opcode.PONG, b"x") * TOO_MANY,
}
