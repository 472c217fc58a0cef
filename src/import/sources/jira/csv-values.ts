import { type DateOrder, parseDate, parseMoment } from '../shared/dates.ts'
import type { IssueComment, IssueFile, Worklog } from './issue.ts'

/** `date;author;text` */
export function commentOf(value: string, order: DateOrder): IssueComment {
  const [, date = '', author = '', text] = /^([^;\n]*);([^;\n]*);([\s\S]*)$/.exec(value) ?? []
  const created = parseMoment(date, { order })
  if (text === undefined || !created) return { text: { wiki: value } }
  return { created, ...(author && { author }), text: { wiki: text } }
}

/** `date;author;name;address` */
export function fileOf(value: string, order: DateOrder): IssueFile | undefined {
  const [, date = '', author = '', name, url] =
    /^([^;]*);([^;]*);([\s\S]*);([^;\s]+)$/.exec(value) ?? []
  if (!name || !url) return undefined
  const created = parseMoment(date, { order })
  return { name, url, ...(author && { author }), ...(created && { created }) }
}

/** `comment;date;author;seconds` */
export function worklogOf(value: string, order: DateOrder): Worklog | undefined {
  const [, note = '', date = '', author = '', seconds] =
    /^([\s\S]*);([^;]*);([^;]*);(\d+)$/.exec(value) ?? []
  const day = parseDate(date, { order })?.slice(0, 10)
  if (!day || !seconds) return undefined
  return {
    day,
    seconds: Number(seconds),
    ...(author && { author }),
    ...(note.trim() && { note: { wiki: note } }),
  }
}
