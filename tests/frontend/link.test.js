// The address that is copied and printed: what is seen, and nothing that leads to somebody's picture.

import assert from "node:assert/strict";
import test from "node:test";
import { linkOf } from "#frontend/frame/link.js";

const DIGEST = "0123456789abcdef".repeat(4);
const SHARED = `${DIGEST}-${"Ab-_".repeat(8)}`;
const AT = "http://localhost:8501/heads";

test("a link is of what is seen, whoever sees it and where", () => {
    const visit = "take=heads.svg.bare.1&lesson=first&step=2&room=QRST&record=yes";
    assert.equal(linkOf(`${AT}?layer=3&${visit}&b.model=demo#top`), `${AT}?layer=3&b.model=demo`);
    assert.equal(linkOf(`${AT}?${visit}`), AT);
});

test("the name of a shared picture is in no link, that of one's own, which nobody else sees with it, is", () => {
    for (const word of ["picture", "b.picture", "donor"]) {
        assert.equal(linkOf(`${AT}?${word}=${SHARED}&layer=3`), `${AT}?layer=3`);
        assert.equal(linkOf(`${AT}?${word}=${DIGEST}`), `${AT}?${word}=${DIGEST}`);
    }
});
