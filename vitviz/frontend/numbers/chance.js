// Chance as PyTorch has it: the Mersenne Twister of 32 bits (Matsumoto and Nishimura 1998).

const [WORDS, AHEAD] = [624, 397];

/** Numbers of 32 bits that follow from a seed. @param {number} seed @returns {() => number} */
function twister(seed) {
    const state = new Uint32Array(WORDS);
    state[0] = seed;
    for (let at = 1; at < WORDS; at++) {
        const before = state[at - 1] ^ (state[at - 1] >>> 30);
        state[at] = Math.imul(1812433253, before) + at;
    }
    let next = WORDS;
    return () => {
        if (next === WORDS) {
            for (let at = 0; at < WORDS; at++) {
                const both = (state[at] & 0x80000000) | (state[(at + 1) % WORDS] & 0x7fffffff);
                state[at] = state[(at + AHEAD) % WORDS] ^ (both >>> 1) ^ (both & 1 ? 0x9908b0df : 0);
            }
            next = 0;
        }
        let drawn = state[next++];
        drawn ^= drawn >>> 11;
        drawn ^= (drawn << 7) & 0x9d2c5680;
        drawn ^= (drawn << 15) & 0xefc60000;
        return (drawn ^ (drawn >>> 18)) >>> 0;
    };
}

/** The numbers below `many` in an order that the seed decides: `torch.randperm`. @param {number} many @param {number} seed */
export function permutation(many, seed) {
    const draw = twister(seed);
    const order = Int32Array.from({ length: many }, (_, at) => at);
    for (let at = 0; at < many - 1; at++) {
        const other = at + (draw() % (many - at));
        [order[at], order[other]] = [order[other], order[at]];
    }
    return order;
}
