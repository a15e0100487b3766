// The shapes of Quoridor in Protocol/local-api-state.md, for `tsc --checkJs`. Nothing of this file is served.

import { Key } from "../../types";

export interface Quoridor {
  settings: {
    players: 2 | 4;
    jumps: "never" | "sideways";
    timed: boolean;
    /** Who moves first, where that is not left to the draw. */
    first: Key | null;
    /** Who plays the other pawns of a practice table: 0 people at this laptop, 1 to 4 the computer. */
    opponent: number | null;
  };
  board: QuoridorBoard | null;
}

export interface QuoridorBoard {
  /** In the order of turns, like `pawns`, `left`, `steps` and `strikes`. */
  players: Key[];
  pawns: (string | null)[];
  walls: string[];
  left: number[];
  steps: number[];
  strikes: number[];
  toMove: number | null;
  mine: number | null;
  turn: number;
  turns: { side: number; move: string; ranOut: boolean }[];
  squares: string[];
  slots: string[];
  clock: { leftMs: number; ofMs: number } | null;
  asked: { question: "draw" | "takeBack" | "end"; by: Key; agreed: Key[]; mine: boolean; mayAnswer: boolean } | null;
  mayOfferDraw: boolean;
  mayTakeBack: boolean;
  sending: string | null;
}
