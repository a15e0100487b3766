// Past games, as `GET /api/v1/history` and `GET /api/v1/tables/{id}/replay` tell of them (Protocol/local-api-state.md).

import type { Key, Table } from "../types";

/** A game that is over on this laptop. */
export interface PastGame {
  id: string;
  code: string;
  title: string;
  game: string;
  pretend: boolean;
  /** Milliseconds since 1970. */
  endedAt: number;
  minutes: number;
  people: string[];
  winners: string[];
}

/** Something that happened in it, with the tiles that it changed: board and tile each. */
export interface Moment {
  kind: string;
  atMs: number;
  who: Key[];
  word: string | null;
  confirms: number;
  denials: number;
  marked: [number, number][];
  unmarked: [number, number][];
}

/** A past game step by step; `size`, `boards` and `moments` are bingo's. */
export interface GameReplay {
  table: Table;
  startedAt: number;
  endedAt: number;
  size: number;
  boards: { player: Key; words: string[] }[];
  moments: Moment[];
}

/** What a log proves, in sentences, or why it proves nothing. */
export interface Proof {
  proves: string[];
  doesNotProve: string[];
  message: string | null;
}

export interface PastActions {
  games(): Promise<PastGame[] | null>;
  replay(id: string): Promise<GameReplay | null>;
  proof(id: string): Promise<Proof>;
}

/** What is under way at the past games. */
export interface PastUI {
  games: PastGame[] | null;
  /** Which games are over here: the list is asked for anew when that has changed. */
  over: string | null;
  /** Which game is asked for or open. */
  of: string | null;
  replay: GameReplay | null;
  proof: Proof | null;
  isProving: boolean;
}
