// What the page itself knows and does. Nothing of this file is served.

import type { Agreed, State } from "./types";
import type { Rules } from "./games/bingo/types";

export type Child = View | string | number | boolean | null | undefined | Child[];

export interface View {
  tag: string;
  key: string | number | undefined;
  props: Record<string, any>;
  children: (View | string)[];
}

export type Answer =
  | { ok: true; revision?: number; table?: string; joining?: boolean }
  | { ok: false; code: string; message: string; proposal?: string };

/** What the page itself knows; together with the state it decides what is shown. */
export interface Model {
  state: State;
  /** When `state` came, by performance.now(): the zero of its durations. */
  at: number;
  link: Link;
  route: Route;
  /** When all laptops of a table last agreed, by its id: a moment's difference is not worth a word. */
  calm: Record<string, number>;
  /** Commands under way. */
  pending: number;
  notices: Notice[];
  actions: Actions;
  agreed: Agreed[];
  prefs: Prefs;
  /** What the person is in the middle of on a screen; forgotten on reload. */
  ui: UI;
}

/** Before the first state has come. */
export interface Blank {
  state: null;
  link: Link;
  prefs: Prefs;
  actions: Actions;
}

export interface Link {
  status: "connecting" | "live" | "late" | "lost" | "closed" | "noToken";
  message: string | null;
}

export interface Route {
  /** The list that is open. */
  list: string | null;
  /** The past game that is open. */
  past: string | null;
  screen: "home" | "new" | "lists" | "network" | "history" | "table";
  table: string | null;
  /** Which game New table is for. */
  game: string | null;
}

export interface Notice {
  id: string;
  text: Child[];
  tone: "plain" | "bad";
  action: { label: string; run: () => void } | null;
}

export interface Prefs {
  theme: "system" | "light" | "dark";
  voteKeys: boolean;
  tell: boolean;
  /** Of sounds while the page is in view: 0 to 1. */
  volume: number;
  /** A BCP 47 tag that has files in locales/. */
  language: string;
}

export interface UI {
  search: string;
  name: string | null;
  nameTaken: { message: string; proposal: string | null } | null;
  /** What was typed into the Join box, while the table is looked for. */
  joining: string | null;
  joinRefused: string | null;
  /** Which dialog is open; with `compare`, the key of the person behind a space. */
  dialog: "quit" | "leave" | "cancel" | "rules" | "giveUp" | `compare ${string}` | null;
  holdFolded: boolean;
  helpFolded: boolean;
  allWords: boolean;
  fresh: NewTable;
  lists: import("./screens/lists-types").ListsUI;
  past: import("./screens/history-types").PastUI;
  /** Only open tables at this place are shown; null for all. */
  place: string | null;
  /** What is under way at the board in view, in the words of its game. */
  play: Record<string, any>;
}

export interface NewTable {
  pack: string | null;
  own: string;
  without: string[];
  minutes: number;
  size: number | null;
  rules: Omit<Rules, "size">;
  private: boolean;
  anonymous: boolean;
  strict: boolean;
  title: string;
  place: string;
  /** Day and time of the start, as the field has it. */
  when: string;
  allWords: boolean;
  touched: boolean;
  refused: string | null;
}

export interface Actions {
  /** Sends a command; what a refusal means is the caller's to say. */
  send(kind: string, fields?: Record<string, any>): Promise<Answer>;
  /** Sends a command; a refusal is said in a notice. */
  act(kind: string, fields?: Record<string, any>): Promise<Answer>;
  go(hash: string): void;
  /** Changes what the person is in the middle of, and shows it. */
  set(change: Partial<UI>): void;
  pref(change: Partial<Prefs>): void;
  /** Shows the page in another language. */
  speak(language: string): Promise<void>;
  notice(notice: { text: Child[]; tone?: "plain" | "bad"; action?: Notice["action"] }): void;
  dismiss(id: string): void;
  say(text: string): void;
  /**
   * Copies `text` and says so in the words of `said`, or that it is to be pasted into the chat; where the browser
   * forbids it, `line` is what is to be typed over.
   */
  copy(text: string, line: string, said?: string): Promise<void>;
  /** Saves the log of a table as a file. */
  saveLog(table: string): Promise<void>;
  lists: import("./screens/lists-types").ListActions;
  list(change: Partial<import("./screens/lists-types").ListsUI>): void;
  past: import("./screens/history-types").PastActions;
  /** Has the log of a past game checked. */
  prove(id: string): Promise<void>;
  /** Opens New table with these words. */
  play(words: string[]): void;
  /** Saves what the page made as a file. */
  keep(blob: Blob, name: string): void;
  /** Chooses how loud sounds are, and lets one be heard. */
  sound(volume: number): void;
  askToTell(): Promise<void>;
  hereInstead(): void;
}
