// What the screen of word lists works with.

/** One of the player's own lists, without its words. */
export interface WordListRow {
  id: number;
  title: string;
  count: number;
}

/** A list that somebody gives, without its words. */
export interface GivenList {
  list: number;
  name: string;
  fromKey: string;
  fromName: string;
  title: string;
  count: number;
}

/** What the state says of lists. */
export interface WordLists {
  lists: WordListRow[];
  putBack: { name: string; milliseconds: number } | null;
  given: GivenList[];
}

/** What a file of words came to. */
export interface FilePreview {
  title: string;
  words: string[];
  skipped: { row: number; reason: string; beginning: string }[];
  skippedCount: number;
}

export interface ListActions {
  words(list: number): Promise<{ words: string[] } | { message: string | null }>;
  /** Saves a list as a file; false when that failed. */
  save(list: number, format: "txt" | "csv" | "json"): Promise<boolean>;
  preview(file: File): Promise<FilePreview | { message: string | null }>;
}

/** What is under way at the lists. */
export interface ListsUI {
  /** Which list, in which state, the words are of. */
  of: string | null;
  words: string[] | null;
  word: string;
  title: string;
  refused: string | null;
  preview: FilePreview | null;
}
