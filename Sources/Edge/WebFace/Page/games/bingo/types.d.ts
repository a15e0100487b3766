// The parts of a table that are bingo's own, as in Protocol/local-api-state.md. Nothing of this file is served.

import type { Agreement, Key } from "../../types";

export type Marking = "tap" | "everyone" | "finder";

export type Voting = "majority" | "anyone" | "unanimous" | "honour";

export type Pattern = "lines" | "diagonals" | "corners" | "cross" | "frame" | "blackout";

export type Suggesting = "anyone" | "creator" | "half";

export type Watching = "nobody" | "progress" | "boards";

/** What can be chosen under House rules. */
export interface Rules {
  size: number;
  marking: Marking;
  voting: Voting;
  pattern: Pattern;
  freeCentre: boolean;
  places: number;
  suggesting: Suggesting;
  /** Somebody may sit down while the game is played. */
  latecomers: boolean;
  watching: Watching;
}

export interface Settings extends Rules {
  minutes: number;
  /** Tiles of a line. */
  goal: number;
}

export interface Words {
  items: WordItem[];
  proposals: Proposal[];
  count: number;
  need: number;
  missing: number;
  thin: boolean;
  duplicates: number;
  vetoesLeft: number | null;
  suggestionsLeft: number | null;
}

/** A word that was suggested and is not taken yet. */
export interface Proposal {
  text: string;
  by: Key;
  mine: boolean;
  wanted: number;
  needed: number;
  mayWant: boolean;
  mayDrop: boolean;
}

export interface WordItem {
  text: string;
  by: Key | null;
  struck: boolean;
  mine: boolean;
  mayTakeOut: boolean;
}

export interface Board {
  size: number;
  tiles: Tile[];
}

export type TileState =
  | "open"
  | "undo"
  | "sending"
  | "waiting"
  | "marked"
  | "confirmed"
  | "denied"
  | "free";

export interface Tile {
  index: number;
  word: string;
  state: TileState;
  oneAway: boolean;
  winning: boolean;
  undoMs: number | null;
  leftMs: number | null;
  waitMs: number | null;
  claim: string | null;
  askAgain: boolean;
}

export interface Claim {
  id: string;
  word: string;
  by: Key[];
  leftMs: number;
  ofMs: number;
  confirms: Key[];
  denials: Key[];
  silent: Key[];
  needed: number;
  mine: boolean;
  myVote: "confirm" | "deny" | null;
  onMyBoard: boolean;
  mayVote: boolean;
}

export interface Support {
  confirms: number;
  of: number;
}

export type Direction =
  | "row"
  | "column"
  | "diagonal"
  | "corners"
  | "cross"
  | "frame"
  | "blackout";

export interface Result {
  kind: "line" | "lastPlayer" | "settled" | "unfinished" | "drawn";
  winners: Key[];
  lines: { player: Key; direction: Direction; index: number; place: number; tiles: boolean[] }[];
  seconds: number;
  timeline: {
    word: string;
    who: Key[];
    confirms: number;
    of: number;
    atMs: number;
    winning: boolean;
  }[];
  boards: {
    player: Key;
    tiles: { word: string; marked: boolean; winning: boolean; support: Support | null }[];
  }[];
  same: Agreement;
  receipt: {
    checked: boolean;
    draw: string;
    people: Key[];
    silent: Key[];
    size: number | null;
    words: number | null;
    pool: number | null;
  } | null;
  rematch: { asked: Key[]; mine: boolean };
}
