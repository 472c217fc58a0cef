import { and, asc, eq } from 'drizzle-orm'
import type { Context, Warning } from '../../../../../kernel/caller.ts'
import { labelsOf } from '../../../../boards/labels/model/index.ts'
import { type Project, projects, visibleProjects } from '../../../../boards/projects/model/index.ts'
import { removePart } from './literal.ts'
import { findMarks, isNumber, type Mark, matchMark } from './marks.ts'
import type { Part } from './schema.ts'

/** The state of parsing a line. `free` has the length of `line`, with recognized parts masked. */
export interface Reading {
  line: string
  free: string
  parts: Part[]
  /** Notices about words that look meaningful but stay in the title. */
  notes: Omit<Warning, 'field'>[]
}

const MAX_NAMES = 20

export function takePart(reading: Reading, means: Part['means'], from: number, to: number) {
  const part = { text: reading.line.slice(from, to), means, from, to }
  reading.parts.push(part)
  reading.free = removePart(reading.free, part)
}

type Board = Pick<Project, 'project_id' | 'title' | 'key' | 'team_id'>

/** The board that the line names by title or key; the last one wins. */
export async function findBoard(ctx: Context, reading: Reading): Promise<number | undefined> {
  const marks = findMarks(reading.free, '#')
  if (!marks.length) return undefined
  const boards = await visibleBoards(ctx)
  const found = marks.flatMap((mark) => {
    const match = matchBoard(reading.free, mark, boards)
    return match ? [{ mark, ...match }] : []
  })
  const board = found.findLast(({ rows }) => rows.length === 1)
  if (board) takePart(reading, 'project_id', board.mark.from, board.to)
  for (const { mark, rows } of found) if (rows.length > 1) noteAmbiguous(reading, mark, rows)
  return board?.rows[0]?.project_id
}

const visibleBoards = (ctx: Context): Promise<Board[]> => {
  const { project_id, title, key, team_id } = projects
  return ctx.tx
    .select({ project_id, title, key, team_id })
    .from(projects)
    .where(and(eq(projects.status, 'Normal'), visibleProjects(ctx)))
    .orderBy(asc(title), asc(project_id))
}

/** A match of a title wins over a match of another board's key. */
const matchBoard = (line: string, mark: Mark, boards: readonly Board[]) =>
  matchMark(line, mark, boards, ({ title }) => title) ??
  matchMark(line, mark, boards, ({ key }) => key)

function noteAmbiguous({ notes }: Reading, { word }: Mark, boards: readonly Board[]) {
  const list = boards.map(({ title, key, project_id }) => `${title} (${key}, ${project_id})`)
  const message = `#${word} stays in the title: several boards match`
  notes.push({ code: 'ambiguous', message: `${message}: ${joinNames(list)}. Send project_id` })
}

/** Finds labels of the board. Other words with `#` stay in the title and cause a notice. */
export async function findLabels(ctx: Context, board: Project, reading: Reading) {
  const marks = findMarks(reading.free, '#')
  if (!marks.length) return []
  const labels = await labelsOf(ctx.tx, board)
  const found = new Map<number, string>()
  const unknown: Mark[] = []
  for (const mark of marks) {
    const match = matchMark(reading.free, mark, labels, ({ name }) => name)
    const [label] = match?.rows ?? []
    if (match) takePart(reading, 'labels', mark.from, match.to)
    if (label) found.set(label.label_id, label.name)
    else if (!isNumber(mark)) unknown.push(mark)
  }
  const boards = unknown.length ? await visibleBoards(ctx) : []
  for (const mark of unknown) noteUnknown(reading, board, mark, { labels, boards })
  return [...found].map(([label_id, name]) => ({ label_id, name }))
}

interface KnownNames {
  labels: readonly { name: string }[]
  boards: readonly Board[]
}

function noteUnknown(
  { free, notes }: Reading,
  board: Project,
  mark: Mark,
  { labels, boards }: KnownNames,
) {
  const match = matchBoard(free, mark, boards)
  // The notice about several matching boards exists already.
  if (match && match.rows.length > 1) return
  if (!match && isTicket(mark, boards)) return
  const stays = `#${mark.word} stays in the title`
  const message = match
    ? `${stays}: the task is created on "${board.title}", and a task has only one board`
    : `${stays}: no board and no label of "${board.title}" has that name. ` +
      `Boards: ${joinNames(boards.map(({ title }) => title))}. ` +
      `Labels: ${joinNames(labels.map(({ name }) => name))}`
  notes.push({ code: match ? 'ambiguous' : 'not_found', message })
}

/** `#HOM-12` is a ticket key and stays in the title without a notice. */
function isTicket({ word }: Mark, boards: readonly Board[]): boolean {
  const [, key = ''] = word.match(/^(.+)-\d+$/) ?? []
  return boards.some((board) => board.key === key.toUpperCase())
}

export const joinNames = (names: readonly string[]) =>
  names.slice(0, MAX_NAMES).join(', ') + (names.length > MAX_NAMES ? ', …' : '') || 'none'
