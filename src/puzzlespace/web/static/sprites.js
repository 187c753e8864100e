// Boards of PuzzleScript games: positions from their words (web/levels.py), drawn with the sprites of the game.

import { tag, UNIT } from "./shapes.js";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const HALF = 31; // the base of numbers in a word; all digits but the last have it added
const SIDE = 5; // pixels of a sprite in each direction
const FEW = 12; // objects of a kind up to which it is said where they are

function numbersOf(word) {
  const found = [];
  let number = 0;
  let unit = 1;
  for (const letter of word.slice(1)) {
    const digit = DIGITS.indexOf(letter);
    number += (digit % HALF) * unit;
    unit *= HALF;
    if (digit >= HALF) continue;
    found.push(number);
    number = 0;
    unit = 1;
  }
  return found;
}

/** The objects of each cell in a position, column by column: each a list of bits. */
export function objectsOf({ game }, word) {
  const cells = game.board.map((kind) => game.kinds[kind]);
  const [, many, ...numbers] = numbersOf(word);
  let place = -1;
  let at = 0;
  for (let k = 0; k < many; k++) {
    const [gap, count] = numbers.slice(at, at + 2);
    place += gap + 1;
    cells[place] = numbers.slice(at + 2, at + 2 + count);
    at += 2 + count;
  }
  return cells;
}

/** The pixels of a cell, row by row: those of later objects are over those of earlier ones. */
function pixelsOf({ sprites, ground }, objects) {
  const found = new Array(SIDE * SIDE).fill(ground);
  for (const object of objects) {
    const pixels = sprites[object].join("").match(/\.|#.{6}/g);
    pixels.forEach((pixel, k) => {
      if (pixel !== ".") found[k] = pixel;
    });
  }
  return found;
}

/** A board as SVG text: a path for each colour. */
export function boardDrawn({ game }, cells) {
  const { width, height, ground } = game;
  const kinds = new Map();
  const paths = new Map();
  const size = UNIT / SIDE;
  const pixels = (x, y) => {
    const objects = cells[x * height + y];
    const key = objects.join();
    if (!kinds.has(key)) kinds.set(key, pixelsOf(game, objects));
    return kinds.get(key);
  };
  for (let y = 0; y < height * SIDE; y++) {
    const row = [];
    for (let x = 0; x < width; x++)
      row.push(
        ...pixels(x, Math.floor(y / SIDE))
          .slice((y % SIDE) * SIDE)
          .slice(0, SIDE),
      );
    for (let from = 0, to = 0; from < row.length; from = to) {
      while (row[to] === row[from]) to++;
      if (row[from] === ground) continue;
      const path = `M${from * size} ${y * size}h${(to - from) * size}v${size}H${from * size}z`;
      paths.set(row[from], (paths.get(row[from]) ?? "") + path);
    }
  }
  const below = tag("rect", { width: width * UNIT, height: height * UNIT, fill: ground });
  const shapes = [...paths].map(([fill, d]) => tag("path", { d, fill }));
  return tag("g", { "shape-rendering": "crispEdges" }, below + shapes.join(""));
}

/** Where the objects are of which there are few: [name, [column, row] of each], from 1. */
export function placesOf({ game }, cells) {
  return game.objects.flatMap((name, object) => {
    const places = cells.flatMap((objects, at) => (objects.includes(object) ? [at] : []));
    if (!places.length || places.length > FEW || game.layers[object] === 0) return [];
    return [[name, places.map((at) => [Math.floor(at / game.height) + 1, (at % game.height) + 1])]];
  });
}
