// Print the positions of a saved table of layers: depth, and the number of the position in hexadecimal digits.
//
//     node read_runs.mjs FOLDER
//
// The format: docs/tables.md. A damaged file is an error.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const BLOCK = 512;

function crc32(bytes) {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (0xedb88320 & -(sum & 1));
  }
  return ~sum >>> 0;
}

function* blocks(data, positions, words) {
  const count = Math.ceil(positions / BLOCK);
  const row = 8 * (words + 2);
  const begin = data.length - count * row;
  for (let block = 0, from = 0; block < count; block++) {
    const at = begin + block * row;
    let first = 0n;
    for (let word = 0; word < words; word++) first = (first << 64n) | data.readBigUInt64LE(at + 8 * word);
    const end = Number(data.readBigUInt64LE(at + 8 * words));
    const gaps = data.subarray(from, end);
    if (end < from || end > begin || BigInt(crc32(gaps)) !== data.readBigUInt64LE(at + row - 8)) throw Error("damaged");
    yield { first, gaps, size: Math.min(BLOCK, positions - block * BLOCK) };
    from = end;
  }
}

function* positionsOf({ first, gaps, size }) {
  let value = first;
  let at = 0;
  for (let number = 0; number < size; number++) {
    yield value;
    if (number === size - 1) return;
    let gap = 0n;
    for (let bits = 0n, more = true; more; bits += 7n) {
      if (at === gaps.length) throw Error("damaged");
      gap |= BigInt(gaps[at] & 127) << bits;
      more = gaps[at++] > 127;
    }
    value += gap + 1n;
  }
}

const folder = process.argv[2] ?? ".";
const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
for (const [depth, layer] of manifest.layers.entries()) {
  const data = readFileSync(join(folder, `layer-${String(depth).padStart(5, "0")}.run`));
  for (const block of blocks(data, layer.positions, manifest.numbering.words))
    for (const value of positionsOf(block)) console.log(`${depth} ${value.toString(16).padStart(32, "0")}`);
}
