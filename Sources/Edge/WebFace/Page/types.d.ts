// The shapes of Protocol/local-api-state.md, for `tsc --checkJs`. Nothing of this file is served.

export type Child = View | string | number | boolean | null | undefined | Child[];

export interface View {
  tag: string;
  key: string | number | undefined;
  props: Record<string, any>;
  children: (View | string)[];
}

/** 64 lower-case hex digits. */
export type Key = string;

export interface Problem {
  code: string;
  message: string;
}

export type Answer =
  | { ok: true; revision?: number; table?: string; joining?: boolean }
  | { ok: false; code: string; message: string; proposal?: string };

export interface State {
  revision: number;
  boot: string;
  screen: "welcome" | "home";
  me: { key: Key; tag: string; name: string | null; proposedName: string | null };
  people: Person[];
  favourites: Absent[];
  otherVersions: OtherPerson[];
  openTables: OpenTable[];
  myTables: MyTable[];
  tables: Table[];
  invitation: string | null;
  network: Network;
  /** Tables that this laptop helps to agree without a seat. */
  witnessing: { allowed: boolean; titles: string[]; watched: string[] };
  /** The game for which somebody to play with is looked for. */
  matching: string | null;
  packs: Pack[];
  lastWords: string[] | null;
  wordLists: { lists: import("./screens/lists-types").WordListRow[]; putBack: { name: string; milliseconds: number } | null };
  trouble: Problem | null;
  refusals: Refusal[];
}

export interface Person {
  key: Key;
  tag: string;
  name: string;
  showTag: boolean;
  presence: "here" | "table" | "away";
  address: string | null;
  via: Via;
  through: string | null;
  paths: { address: string; interface: string | null; via: Via; inUse: boolean }[];
  hearsMe: "yes" | "no" | "unknown";
  clockAhead: number | null;
  twice: boolean;
  linked: boolean;
  /** Connections fail although it is heard. */
  linkFails: boolean;
  phrase: string[] | null;
  favourite: boolean;
}

export type Via = "datagram" | "link" | "introduced";

/** A favourite who is not here. */
export interface Absent {
  key: Key;
  tag: string;
  name: string;
  showTag: boolean;
}

export interface OtherPerson {
  key: Key;
  tag: string;
  name: string;
  version: number;
  message: string;
}

export interface OpenTable {
  id: string;
  code: string;
  title: string;
  hostKey: Key;
  hostName: string;
  hostTag: string;
  showHostTag: boolean;
  game: string;
  size: number;
  minutes: number;
  players: number;
  seats: number;
  joined: boolean;
}

export interface MyTable {
  id: string;
  code: string;
  title: string;
  phase: Phase;
  hostName: string;
  hostTag: string;
  showHostTag: boolean;
  sign: { kind: "vote" | "decided" | "away" | "oneAway" | "bingo" | "waiting" | "turn" | "asked"; text: string } | null;
}

export interface Network {
  interfaces: {
    name: string;
    address: string;
    broadcast: string | null;
    sends: boolean;
    lastError: string | null;
    lastErrorName: string | null;
    /** Bits of the address that name the network. */
    prefix: number | null;
    kind: "loopback" | "wired" | "wifi" | "tunnel" | "virtual";
    sent: number;
    sentBytes: number;
    heard: number;
    heardBytes: number;
    heardAt: number | null;
    hears: boolean;
  }[];
  /** `--interface` said which to use. */
  told: boolean;
  discoveryPort: number;
  linkPort: number;
  address: string | null;
  warning: Problem | null;
  looking: Looking;
  heard: number;
  refused: Record<string, number>;
  /** A look at the machine goes on; one was done. */
  checking: boolean;
  checked: boolean;
  sharedAddresses: { host: string; names: string[] }[];
  findings: Finding[];
}

/** What is right or wrong with the network: Protocol/local-api-doctor.md. */
export interface Finding {
  code: string;
  severity: "trouble" | "note" | "ok";
  message: string;
  because: string | null;
  command: string | null;
}

/** Asking every address of the own networks. */
export interface Looking {
  subnets: string[];
  count: number;
  asked: number | null;
  found: number;
  running: boolean;
}

export interface Pack {
  id: string;
  title: string;
  count: number;
  words: string[];
}

export interface Refusal {
  command: string;
  table: string | null;
  code: string;
  message: string;
}

export type Phase =
  | "joining"
  | "lobby"
  | "starting"
  | "dealing"
  | "playing"
  | "over"
  | "cancelled"
  | "refused";

export type Marking = "tap" | "everyone" | "finder";
export type Voting = "majority" | "anyone" | "unanimous" | "honour";
export type Pattern = "lines" | "diagonals" | "corners" | "cross" | "frame" | "blackout";

/** What can be chosen under House rules. */
export interface Rules {
  size: number;
  marking: Marking;
  voting: Voting;
  pattern: Pattern;
  freeCentre: boolean;
  places: number;
}
export type Choice = "wait" | "quit" | "cancel" | "startAgain" | "joinSuccessor" | "goOn" | "follow" | "later" | "end";

export interface Settings extends Rules {
  minutes: number;
  /** Tiles of a line. */
  goal: number;
}

export interface Table {
  id: string;
  code: string;
  title: string;
  game: string;
  phase: Phase;
  refusal: Problem | null;
  pretend: boolean;
  /** Only people with the invitation can find it. */
  private: boolean;
  /** Among three everybody must agree. */
  strict: boolean;
  invitation: string;
  creatorKey: Key;
  mine: boolean;
  settings: Settings;
  maySet: boolean;
  seats: Seat[];
  seatLimit: number;
  words: Words;
  start: { possible: boolean; code: string | null; message: string | null };
  ready: boolean;
  agreement: Agreement;
  waiting: Waiting | null;
  /** Ways on which some went on without others. */
  wentOn: Waiting[];
  promise: string | null;
  /** Names of those whose laptops help to agree without playing. */
  witnesses: string[];
  away: string[];
  /** Those whose laptops are proven to have lied. */
  proofs: { player: Key; name: string; message: string }[];
  board: Board | null;
  claims: Claim[];
  feed: FeedLine[];
  voteHelp: "offer" | null;
  voting: Voting;
  /** My newest accepted claim, while nothing was decided since. */
  takeBack: { claim: string; word: string } | null;
  /** Who wants the game to end as it stands; null in the lobby. */
  settling: { asked: Key[]; needed: number; mine: boolean; isDue: boolean } | null;
  /** Who has completed a line so far, a place each. */
  places: Key[][];
  result: Result | null;
  successor: { id: string; code: string; hostName: string; kind: "rematch" | "again" } | null;
  details: Details;
  /** At a table of Quoridor: all that is the game's own; what is bingo's above is not there then. */
  quoridor?: import("./games/quoridor/types").Quoridor;
}

export interface Happening {
  id: string;
  kind: "vote" | "decided" | "oneAway" | "bingo" | "over" | "turn" | "asked";
  text: string;
  table: string;
}

export interface Waiting {
  code: string;
  message: string;
  names: string[];
  choices: Choice[];
}

export interface Seat {
  key: Key;
  player: Key;
  name: string;
  tag: string;
  showTag: boolean;
  me: boolean;
  creator: boolean;
  ready: boolean;
  pretend: boolean;
  presence: "here" | "away" | "left";
  left: boolean;
  best: number;
  marked: number;
  oneAway: boolean;
  agrees: boolean;
}

export interface Words {
  items: WordItem[];
  count: number;
  need: number;
  missing: number;
  thin: boolean;
  duplicates: number;
  vetoesLeft: number | null;
  suggestionsLeft: number | null;
}

export interface WordItem {
  text: string;
  by: Key | null;
  struck: boolean;
  mine: boolean;
  mayTakeOut: boolean;
}

export interface Agreement {
  agreeing: number;
  here: number;
  of: number;
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

export type FeedKind =
  | "joined"
  | "left"
  | "started"
  | "dealt"
  | "confirmed"
  | "denied"
  | "expired"
  | "away"
  | "back"
  | "lineComplete"
  | "won"
  | "lastPlayer"
  | "placed"
  | "takenBack"
  | "settleAsked"
  | "settled"
  | "cancelled"
  | "gaveUp"
  | "ranOut"
  | "forfeited"
  | "drawn"
  | "lied"
  | "wentOn";

export interface FeedLine {
  index: number;
  kind: FeedKind;
  who: Key[];
  word: string | null;
  confirms: number;
  denials: number;
  ageMs: number;
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
  minutes: number;
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

export interface Details {
  tableID: string;
  epoch: number;
  view: number;
  height: number;
  tip: string;
  stateHash: string;
  finalVotes: number;
  voters: number;
  quorum: number;
  refused: Record<string, number>;
  messages: number | Record<string, number>;
}

export interface Agreed {
  table: string;
  index: number;
  height: number;
  hash: string;
  author: Key;
  kind: string;
  outcome: "done" | "void";
  code: string | null;
}

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
  screen: "home" | "new" | "lists" | "network" | "table";
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
  strict: boolean;
  title: string;
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
  /** Opens New table with these words. */
  play(words: string[]): void;
  /** Saves what the page made as a file. */
  keep(blob: Blob, name: string): void;
  /** Chooses how loud sounds are, and lets one be heard. */
  sound(volume: number): void;
  askToTell(): Promise<void>;
  hereInstead(): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "tt-face": HTMLElement & { seed: string };
  }
}
