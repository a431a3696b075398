// The chosen tile or card of a live table, large, and what it may be instead.
import { stake } from "../../breakdown/stake.js";
import { closeUp } from "../../evidence/overlay.js";
import { center } from "../../evidence/pieces.js";
import { gem } from "../../lib/art.js";
import { button, html, icon, say } from "../../lib/dom.js";

const indexOf = (piece) => Number(piece.slice(1));

/** The pieces that were seen on a table at rest. What has a `color` is a tile, all else a card. */
export const piecesOf = (table) => table.case.evidence[0].pieces;

/** The piece with this id. */
export const pieceOf = (table, id) => (id === null ? undefined : table && piecesOf(table)[indexOf(id)]);

export const isTile = ({ color }) => color !== undefined;

/** Whether a person is asked about a piece. Outside every area it counts for nobody, unless it touches one. */
export const asked = (one) => Boolean(one.why && !one.said && (one.zone || one.border));

export class PieceBar {
  /** `answer(said, goOn)` takes what a person says of pieces, each `at` a point; `apart(zone)` that
   * they want to be asked about an area's tiles one by one. */
  constructor(live, answer, apart) {
    this.live = live;
    this.given = live.given;
    this.answer = answer;
    this.apart = apart;
  }

  /** A tile in words: its color, and where it lies. */
  words({ color, zone }) {
    const place = zone ? this.live.nameOf(zone) : say("area.none");
    return say("live.tile-words", { color: this.live.term(`color.${color}`), zone: place });
  }

  /** What lay at a point before, and may be put back. */
  gone(at) {
    const cards = !this.given.learns && this.cardChoices({ polygon: [at] }, []);
    const keys = this.given.colors.length > 0 && this.colorChoices(null, at);
    return html`<section class="tile-bar" aria-label=${say("live.tile")}><p>${say("live.gone-words")}</p>${keys}${cards}</section>`;
  }

  /** The piece with this id at a table at rest; `address` is the picture's. */
  of(shown, id, address, editable) {
    const piece = pieceOf(shown, id);
    const together = editable && this.live.togetherWith(id);
    if (together)
      return this.together(
        shown,
        together.map((one) => pieceOf(shown, one)),
        address,
      );
    const picture = closeUp(address, shown.case.evidence[0].size, piece.polygon);
    return isTile(piece) ? this.tile(shown, piece, picture, editable) : this.card(shown, piece, picture, editable);
  }

  /** Tiles of one area of which none is sure, asked about at once: whether they are tiles at all. */
  together(shown, tiles, address) {
    const [xs, ys] = [0, 1].map((k) => tiles.flatMap(({ polygon }) => polygon.map((point) => point[k])));
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const around = [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
    ];
    const picture = closeUp(address, shown.case.evidence[0].size, around, 1.1);
    const seen = [...new Set(tiles.map(({ color }) => color))];
    const count = (color) => tiles.filter((one) => one.color === color).length;
    const colors = seen.map((color) => `${this.live.term(`color.${color}`)} ${count(color)}`).join(", ");
    const all = (is) => () =>
      this.answer(
        tiles.map((one) => ({ at: center(one.polygon), color: is(one) })),
        true,
      );
    return html`
      <section class="tile-bar doubt" aria-label=${say("live.tile")}>
        ${picture}
        <div class="tile-words">
          <p><strong class="ask">${say("live.gems", { n: tiles.length })}</strong> <span class="quiet small">${say("live.gems-seen", { zone: this.live.nameOf(tiles[0].zone), colors })}</span></p>
        </div>
        <div class="card-choices row">
          ${button(
            "gems-yes",
            say("live.gems-yes"),
            all(({ color }) => color),
          )}
          ${button(
            "gems-none",
            say("live.gems-none"),
            all(() => null),
          )}
          ${button("gems-each", say("live.gems-each"), () => this.apart(tiles[0].zone), { kind: "plain" })}
        </div>
      </section>`;
  }

  tile(shown, tile, picture, editable) {
    const doubt = tile.border ? say("live.border", { tile: this.words(tile) }) : say("live.which");
    const color = this.live.term(`color.${tile.color}`);
    const sure = say("live.sure", { n: tile.sure, color });
    const right = tile.read && say("live.put-right", { read: this.live.term(`color.${tile.read}`), color });
    const why = tile.said ? say("live.said") : right || tile.why || sure;
    return html`
      <section class="tile-bar ${tile.why && "doubt"}" aria-label=${say("live.tile")}>
        ${picture}
        <div class="tile-words">
          <p><strong class="${tile.why && "ask"}">${tile.why ? doubt : this.words(tile)}</strong> <span class="quiet small">${why}</span></p>
          ${tile.why && stakeOf(shown, tile.id)}
        </div>
        ${editable && this.colorChoices(tile, center(tile.polygon))}
      </section>`;
  }

  /** The likeliest cards first, then any of the game's. */
  card(shown, piece, picture, editable) {
    const open = asked(piece);
    const why = piece.said ? say("live.said") : open ? piece.why : "";
    const near = shown.case.doubts.find((doubt) => doubt.piece === piece.id)?.choices ?? [];
    return html`
      <section class="tile-bar ${open && "doubt"}" aria-label=${say("live.card")}>
        ${picture}
        <div class="tile-words">
          <p><strong class="${open && "ask"}">${open ? say("live.which-card") : piece.label}</strong> <span class="quiet small">${why}</span></p>
        </div>
        ${editable && this.cardChoices(piece, near)}
      </section>`;
  }

  cardChoices(piece, near) {
    const { cards } = this.given;
    const choose = (card) => this.answer([{ at: center(piece.polygon), card }], true);
    const likely = near.filter(({ key }) => key);
    return html`
      <div class="card-choices row">
        ${likely.map(({ key, label }) => button(`card-${key}`, label, () => choose(Number(key))))}
        <select class="field" data-key="card-other" aria-label=${say("live.other-card")}
            onchange=${(event) => choose(Number(event.target.value))}>
          <option value="" selected disabled>${say("live.other-card")}</option>
          ${[...new Set(cards)].map((name) => html`<option value=${cards.indexOf(name)}>${name}</option>`)}
        </select>
        ${button("card-none", say("live.no-card"), () => choose(null), { kind: "plain" })}
      </div>`;
  }

  colorChoices(tile, at) {
    const key = (color, art, words) => html`
      <button class="color-key ${tile?.color === color && "on"}" aria-label=${words} title=${words}
        data-key="tile-${color ?? "none"}" onclick=${() => this.answer([{ at, color }], Boolean(tile?.why))}>${art}</button>`;
    return html`
      <div class="color-keys" data-for="player">
        ${this.given.colors.map((color) => key(color, gem(color), this.live.term(`color.${color}`)))}
        ${tile && key(null, icon("close"), say("live.no-tile-long"))}
      </div>`;
  }
}

/** By how much the answer can change the points. */
function stakeOf(shown, id) {
  const { points, place } = shown.case.doubts.find(({ piece }) => piece === id) ?? {};
  const player = /^\/players\/(\d+)/.exec(place ?? "")?.[1];
  return stake(points, shown.case.answer?.players[player]);
}
