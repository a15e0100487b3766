// Times of day, as the language and the time zone of the browser write them; and the same for a calendar program.

/** How long before a start people are reminded, in minutes (PRODUCT B25). */
export const AHEAD = [10, 1];

/**
 * @param {number} seconds since 1970
 * @returns {string} such as "Mon, 1 Dec, 15:00"
 */
export function when(seconds) {
  return new Intl.DateTimeFormat(document.documentElement.lang, {
    weekday: "short", day: "numeric", month: "short", hour: "numeric", minute: "2-digit",
  }).format(seconds * 1000);
}

/**
 * @param {number} milliseconds since 1970
 * @returns {string} such as "1 Dec 2026, 15:00"
 */
export function onDay(milliseconds) {
  return new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" }).format(milliseconds);
}

/**
 * What is typed into a field of day and time, which means the time of this place.
 * @param {string} typed such as "2026-12-01T15:00", or empty
 * @returns {number | null} seconds since 1970
 */
export function secondsOf(typed) {
  const time = typed === "" ? NaN : new Date(typed).getTime();
  return Number.isFinite(time) && time > 0 ? Math.floor(time / 1000) : null;
}

/**
 * A start as an event of iCalendar (RFC 5545), in UTC, with an alarm for each of `AHEAD`.
 * @param {{ id: string, title: string, place: string | null, startsAt: number, minutes: number, text: string, alarm: string }} event
 * @returns {string}
 */
export function calendar({ id, title, place, startsAt, minutes, text, alarm }) {
  const lines = [
    "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Tabletalk//Tabletalk//EN", "METHOD:PUBLISH", "BEGIN:VEVENT",
    `UID:${id}@tabletalk`, `DTSTAMP:${utc(Date.now() / 1000)}`, `DTSTART:${utc(startsAt)}`,
    `DTEND:${utc(startsAt + minutes * 60)}`, `SUMMARY:${escaped(title)}`,
    ...(place === null ? [] : [`LOCATION:${escaped(place)}`]), `DESCRIPTION:${escaped(text)}`,
    ...AHEAD.flatMap((ahead) => [
      "BEGIN:VALARM", "ACTION:DISPLAY", `DESCRIPTION:${escaped(alarm)}`, `TRIGGER:-PT${ahead}M`, "END:VALARM",
    ]),
    "END:VEVENT", "END:VCALENDAR",
  ];
  return lines.map(folded).join("\r\n") + "\r\n";
}

/** @param {number} seconds */
function utc(seconds) {
  return new Date(seconds * 1000).toISOString().replace(/[-:]|\.\d+/g, "");
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[\\;,]/g, "\\$&").replace(/\r?\n/g, "\\n");
}

/**
 * No line is longer than 75 bytes; what is too long goes on behind a space, never inside a character.
 * @param {string} line
 */
function folded(line) {
  const bytes = new TextEncoder();
  let out = "";
  let room = 75;
  for (const character of line) {
    const length = bytes.encode(character).length;
    if (length > room) {
      out += "\r\n ";
      room = 74;
    }
    out += character;
    room -= length;
  }
  return out;
}
