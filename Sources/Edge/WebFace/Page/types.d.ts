// The shapes of Protocol/local-api-state.md, for `tsc --checkJs`. Nothing of this file is served.

import type { Board, Claim, Result, Settings, Voting, Words } from "./games/bingo/types";

export * from "./model";
export * from "./games/bingo/types";

/** 64 lower-case hex digits. */
export type Key = string;

export interface Problem {
  code: string;
  message: string;
}

export interface State {
  revision: number;
  boot: string;
  screen: "welcome" | "home";
  me: { key: Key; tag: string; name: string | null; proposedName: string | null };
  people: Person[];
  favourites: Absent[];
  otherVersions: OtherPerson[];
  /** People whose lines are not shown. */
  muted: Key[];
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
  wordLists: import("./screens/lists-types").WordLists;
  trouble: Problem | null;
  refusals: Refusal[];
  /** Tables that somebody has asked me to. */
  invites: Invite[];
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
  place: string | null;
  /** Seconds since 1970. */
  startsAt: number | null;
  playing: boolean;
  /** A seat can be taken. */
  open: boolean;
  watchable: boolean;
}

export interface Invite {
  table: string;
  code: string;
  title: string;
  game: string;
  size: number;
  minutes: number;
  place: string | null;
  startsAt: number | null;
  fromKey: Key;
  fromName: string;
  fromTag: string;
  /** Title of a table of mine at that time. */
  conflict: string | null;
}

export interface MyTable {
  id: string;
  code: string;
  title: string;
  phase: Phase;
  startsAt: number | null;
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

export type Choice = "wait" | "quit" | "cancel" | "startAgain" | "joinSuccessor" | "goOn" | "follow" | "later" | "end";

export interface Table {
  id: string;
  code: string;
  title: string;
  place: string | null;
  /** Seconds since 1970. */
  startsAt: number | null;
  game: string;
  phase: Phase;
  /** People who were asked to sit down. */
  asked: { key: Key; name: string; declined: boolean }[];
  refusal: Problem | null;
  pretend: boolean;
  /** Only people with the invitation can find it. */
  private: boolean;
  /** Among three everybody must agree. */
  strict: boolean; anonymous: boolean;
  invitation: string;
  creatorKey: Key;
  mine: boolean;
  settings: Settings;
  maySet: boolean;
  /** I run the table. */
  mayRun: boolean;
  /** Nobody new is let in. */
  locked: boolean;
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
  inviting: { possible: boolean; asked: string[]; refused: string[] } | null;
  /** Those who look on without a seat. */
  watchers: { player: Key; name: string; me: boolean }[];
  chat: ChatLine[];
  maySay: boolean;
  away: string[];
  /** Those whose laptops are proven to have lied. */
  proofs: { player: Key; name: string; message: string }[];
  board: Board | null;
  /** Of all, for who looks on, where the rules show them. */
  boards: { player: Key; board: Board }[];
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
  /** The table that it goes on from. */
  previous: { id: string; kind: "rematch" | "again" } | null;
  details: Details;
  /** At a table of Quoridor: all that is the game's own; what is bingo's above is not there then. */
  quoridor?: import("./games/quoridor/types").Quoridor;
}

/** What somebody at the table said. */
export interface ChatLine {
  index: number;
  key: Key;
  text: string;
  mine: boolean;
  ageMs: number;
}

export interface Happening {
  id: string;
  kind: "vote" | "decided" | "oneAway" | "bingo" | "over" | "turn" | "asked" | "soon";
  /** Empty for what is only heard. */
  text: string;
  table: string;
  /** How it sounds, where that is not by its kind. */
  tune?: "bingo" | "lost" | "decided" | "vote" | "asked" | "wall" | "step";
}

export interface Waiting {
  code: string;
  message: string;
  names: string[];
  choices: Choice[];
  /** Of one that is offered: what `follow` takes. */
  way?: string;
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
  runs: boolean;
  late: boolean;
  takenOff: boolean; shown: { key: Key; name: string; tag: string } | null;
}

export interface Agreement {
  agreeing: number;
  here: number;
  of: number;
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
  | "joinedLate"
  | "takenOff"
  | "letBack"
  | "locked"
  | "unlocked"
  | "runs"
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

declare global {
  interface HTMLElementTagNameMap {
    "tt-face": HTMLElement & { seed: string };
  }
}
