// What is sent to others: a sentence with what is proved, a picture of the board or of the map, a link, a file.

import { drawn, make } from "./depths.js";
import { copied, isLocal, saved } from "./share.js";
import { words } from "./words.js";

const [WIDE, HIGH, MARGIN] = [1200, 630, 50]; // pixels of the picture, as sites show them beside a link
const FONT = 'system-ui, "Noto Sans", "Noto Sans CJK JP", "Hiragino Sans", sans-serif';

/** What can be said of a game or a puzzle: {title, own, at, score}, see `PuzzleSpace.score`. Only what is proved. */
export function sentence({ title, own, at, score: { count, best, helped } }) {
  const said = words();
  if (at.goal && count) return said.sharesolved({ title, count, best, helped });
  if (at.state === "lost") return said.sharelost(title);
  if (at.state !== "known" || at.goal) return said.shareopen(title);
  if (count) return said.sharepart({ title, count, left: at.distance });
  return own ? said.shareown({ title, best: at.distance }) : said.sharebest({ title, best: at.distance });
}

export class Sharing {
  #dialog;
  #asks;
  #facts = null;
  #link = "";
  #shows = "board";
  #picture = null; // the blob that is shown

  /**
   * asks: facts() as `sentence` takes them, with `about` and `theme`; link() a promise of the address of what is shown;
   * token() whether that needs a token; map() a promise of a picture of the map, null if it is not drawn; file() saves a
   * page, and is a promise of what is said about it.
   */
  constructor(dialog, asks) {
    this.#dialog = dialog;
    this.#asks = asks;
  }

  async open() {
    this.#facts = this.#asks.facts();
    this.#link = await this.#asks.link();
    this.#shows = "board";
    const said = words();
    const hidden = isLocal(this.#link);
    const button = (textContent, onclick, more = {}) =>
      make("button", { type: "button", textContent, onclick, ...more });
    this.text = make("textarea", { rows: 3, readOnly: true, aria: { label: said.sharetext } });
    this.text.value = [sentence(this.#facts), hidden ? "" : this.#link].filter(Boolean).join("\n");
    this.image = make("img", { width: WIDE, height: HIGH });
    this.says = make("p", { aria: { role: "status" } });
    const kinds = ["board", "map"].map((kind) =>
      button(kind === "map" ? said.map : said.shareboard, () => this.#show(kind), { data: { kind } }),
    );
    this.kinds = make("p", { className: "row" }, ...kinds);
    this.kinds.hidden = !this.#asks.map();
    const file = () => new File([this.#picture], "puzzle.png", { type: "image/png" });
    const send = navigator.share && button(said.sharesend, () => this.#send(file()));
    this.#dialog.replaceChildren(
      make(
        "div",
        { className: "row" },
        make("h2", { id: "share-title", textContent: said.link }),
        make("span", { className: "room" }),
        button(said.close, () => this.#dialog.close()),
      ),
      this.kinds,
      this.image,
      this.text,
      make("p", { textContent: hidden ? said.here_only : this.#asks.token() ? said.tokened : "" }),
      make(
        "p",
        { className: "row" },
        button(said.sharecopy, () => this.#copy(), { className: "main" }),
        button(said.sharepicture, () => saved("puzzle.png", this.#picture)),
        button(said.sharefile, () => this.#saved()),
        ...(send ? [send] : []),
      ),
      this.says,
    );
    await this.#show("board");
    this.#dialog.showModal();
  }

  async #saved() {
    this.says.textContent = await this.#asks.file();
  }

  async #copy() {
    if (await copied(this.text.value)) this.says.textContent = words().copied;
    else this.text.select();
  }

  async #send(file) {
    const files = navigator.canShare?.({ files: [file] }) ? { files: [file] } : {};
    await navigator.share({ text: this.text.value, ...files }).catch(() => {}); // the person may change his mind
  }

  async #show(kind) {
    this.#shows = kind;
    for (const each of this.kinds.children) each.setAttribute("aria-pressed", String(each.dataset.kind === kind));
    this.#picture = await this.#drawn();
    URL.revokeObjectURL(this.image.src);
    this.image.src = URL.createObjectURL(this.#picture);
    this.image.alt = `${kind === "map" ? words().map : words().shareboard}: ${sentence(this.#facts)}`;
  }

  /** The picture: the board or the map, and beside it the sentence. */
  async #drawn() {
    const { about, at, theme } = this.#facts;
    const { paper, ink } = about.colours[theme];
    const canvas = make("canvas", { width: WIDE, height: HIGH });
    const page = canvas.getContext("2d");
    page.fillStyle = paper;
    page.fillRect(0, 0, WIDE, HIGH);
    const most = [WIDE * 0.62 - MARGIN, HIGH - 2 * MARGIN];
    const map = this.#shows === "map" && (await this.#asks.map());
    const image = map ? await createImageBitmap(map) : await loaded(drawn(about, at.symbols, theme, at.words));
    const zoom = Math.min(most[0] / image.width, most[1] / image.height);
    const [wide, high] = [image.width * zoom, image.height * zoom];
    page.drawImage(image, MARGIN, (HIGH - high) / 2, wide, high);
    page.fillStyle = ink;
    const left = wide + 2 * MARGIN;
    write(page, sentence(this.#facts), left, WIDE - MARGIN - left);
    page.font = `22px ${FONT}`;
    page.textBaseline = "alphabetic";
    const name = isLocal(this.#link) ? document.querySelector("h1").textContent : new URL(this.#link).host;
    page.fillText(name, left, HIGH - MARGIN, WIDE - MARGIN - left);
    return new Promise((done) => canvas.toBlob(done, "image/png"));
  }
}

/** An SVG element as an image of its own size. */
async function loaded(svg) {
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  svg.setAttribute("width", 4 * width);
  svg.setAttribute("height", 4 * height);
  svg.setAttribute("font-family", FONT);
  svg.setAttribute("font-weight", 600);
  const address = URL.createObjectURL(
    new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" }),
  );
  const image = make("img", { src: address });
  await image.decode();
  URL.revokeObjectURL(address);
  return image;
}

/** Writes text in the middle of the height, in as large letters as fit. */
function write(page, text, left, wide) {
  for (let size = 56; ; size -= 4) {
    page.font = `600 ${size}px ${FONT}`;
    const lines = wrapped(page, text, wide);
    const high = 1.3 * size * lines.length;
    if (size > 20 && (high > HIGH - 4 * MARGIN || lines.some((line) => page.measureText(line).width > wide))) continue;
    page.textBaseline = "top";
    for (const [k, line] of lines.entries()) page.fillText(line, left, (HIGH - high) / 2 + 1.3 * size * k, wide);
    return;
  }
}

/** The lines of a text; languages without spaces may break at any letter, but no line begins with 。 or a like sign. */
function wrapped(page, text, wide) {
  const lines = [""];
  const parts = /(?:[\u3000-\u9fff\uff00-\uffef]|[^\s\u3000-\u9fff\uff00-\uffef]+\s*|\s+)[。、」）！？]*/g;
  for (const part of text.match(parts) ?? []) {
    if (lines.at(-1) && page.measureText((lines.at(-1) + part).trimEnd()).width > wide) lines.push("");
    lines[lines.length - 1] += part;
  }
  return lines.map((line) => line.trim());
}
