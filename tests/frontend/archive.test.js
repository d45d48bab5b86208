import assert from "node:assert/strict";
import { test } from "node:test";

import { npy, zip } from "../../vitviz/ui/board/frontend/save/archive.js";

test("an array begins with NumPy's header, padded to 64 bytes", () => {
    const bytes = npy(Float32Array.of(1, 2, 3, 4, 5, 6), [2, 3]);
    const values = new Float32Array(bytes.slice(bytes.length - 24).buffer);
    assert.deepEqual([...values], [1, 2, 3, 4, 5, 6]);
    assert.equal((bytes.length - 24) % 64, 0);
    const magic = [0x93, ...new TextEncoder().encode("NUMPY"), 1, 0, (bytes.length - 24 - 10) & 255, 0];
    assert.deepEqual([...bytes.subarray(0, 10)], magic);
    const header = new TextDecoder().decode(bytes.subarray(10, bytes.length - 24));
    assert.match(header, /^\{'descr': '<f4', 'fortran_order': False, 'shape': \(2, 3,\), \} *\n$/);
});

test("an archive says of each file its checksum, sizes and place", () => {
    const bytes = new TextEncoder().encode("123456789"); // whose CRC-32 is the published check value
    const parts = zip([
        { name: "a", bytes },
        { name: "b", bytes },
    ]);
    const archive = new DataView(Uint8Array.from(parts.flatMap((part) => [...part])).buffer);
    const end = archive.byteLength - 22;
    assert.equal(archive.getUint32(end, true), 0x06054b50);
    assert.equal(archive.getUint16(end + 10, true), 2);
    const second = archive.getUint32(end + 16, true) + 46 + 1;
    assert.equal(archive.getUint32(second, true), 0x02014b50);
    assert.equal(archive.getUint32(second + 16, true), 0xcbf43926);
    assert.equal(archive.getUint32(second + 24, true), 9);
    assert.equal(archive.getUint32(second + 42, true), 30 + 1 + 9);
});
