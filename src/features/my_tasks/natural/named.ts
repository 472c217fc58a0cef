import { and, asc, eq } from 'drizzle-orm'
import type { Context, Warning } from '../../../kernel/caller.ts'
import { labelsOf } from '../../labels/index.ts'
import { type Project, projects, visibleProjects } from '../../projects/index.ts'
import { without } from './literal.ts'
import { calledBy, isNumber, type Mark, marksIn } from './marks.ts'
import type { Part } from './schema.ts'

/** A line as it is read: what was taken is no longer in `free`, which is as long as `line`. */
export interface Reading {
  line: string
  free: string
  parts: Part[]
  /** What stays in the title though it looks as if it meant something. */
  notes: Omit<Warning, 'field'>[]
}

const SOME = 20

export function take(reading: Reading, means: Part['means'], from: number, to: number) {
  const part = { text: reading.line.slice(from, to), means, from, to }
  reading.parts.push(part)
  reading.free = without(reading.free, part)
}

type Board = Pick<Project, 'project_id' | 'title' | 'key' | 'team_id'>

/** The board that the line names by title or key; of several, the last. */
export async function boardNamed(ctx: Context, reading: Reading): Promise<number | undefined> {
  const marks = marksIn(reading.free, '#')
  if (!marks.length) return undefined
  const boards = await boardsSeen(ctx)
  const found = marks.flatMap((mark) => {
    const called = boardCalled(reading.free, mark, boards)
    return called ? [{ mark, ...called }] : []
  })
  const meant = found.findLast(({ rows }) => rows.length === 1)
  if (meant) take(reading, 'project_id', meant.mark.from, meant.to)
  for (const { mark, rows } of found) if (rows.length > 1) ambiguous(reading, mark, rows)
  return meant?.rows[0]?.project_id
}

const boardsSeen = (ctx: Context): Promise<Board[]> => {
  const { project_id, title, key, team_id } = projects
  return ctx.tx
    .select({ project_id, title, key, team_id })
    .from(projects)
    .where(and(eq(projects.status, 'Normal'), visibleProjects(ctx)))
    .orderBy(asc(title), asc(project_id))
}

/** A title counts before another board's key. */
const boardCalled = (line: string, mark: Mark, boards: readonly Board[]) =>
  calledBy(line, mark, boards, ({ title }) => title) ??
  calledBy(line, mark, boards, ({ key }) => key)

function ambiguous({ notes }: Reading, { word }: Mark, boards: readonly Board[]) {
  const list = boards.map(({ title, key, project_id }) => `${title} (${key}, ${project_id})`)
  const message = `#${word} stays in the title: several boards are called so`
  notes.push({ code: 'ambiguous', message: `${message}: ${some(list)}. Send project_id` })
}

/** Labels of the board that the line names; whatever else has that sign stays and is told of. */
export async function labelsNamed(ctx: Context, board: Project, reading: Reading) {
  const marks = marksIn(reading.free, '#')
  if (!marks.length) return []
  const labels = await labelsOf(ctx.tx, board)
  const found = new Map<number, string>()
  const unknown: Mark[] = []
  for (const mark of marks) {
    const called = calledBy(reading.free, mark, labels, ({ name }) => name)
    const [label] = called?.rows ?? []
    if (called) take(reading, 'labels', mark.from, called.to)
    if (label) found.set(label.label_id, label.name)
    else if (!isNumber(mark)) unknown.push(mark)
  }
  const boards = unknown.length ? await boardsSeen(ctx) : []
  for (const mark of unknown) note(reading, board, mark, { labels, boards })
  return [...found].map(([label_id, name]) => ({ label_id, name }))
}

interface Known {
  labels: readonly { name: string }[]
  boards: readonly Board[]
}

function note({ free, notes }: Reading, board: Project, mark: Mark, { labels, boards }: Known) {
  const called = boardCalled(free, mark, boards)
  // That several boards are called so was told already.
  if (called && called.rows.length > 1) return
  if (!called && isTicket(mark, boards)) return
  const stays = `#${mark.word} stays in the title`
  const message = called
    ? `${stays}: the task goes to "${board.title}", and to one board only`
    : `${stays}: no board is called so, nor a label of "${board.title}". ` +
      `Boards: ${some(boards.map(({ title }) => title))}. ` +
      `Labels: ${some(labels.map(({ name }) => name))}`
  notes.push({ code: called ? 'ambiguous' : 'not_found', message })
}

/** `#HOM-12` is a task, and is meant as it stands. */
function isTicket({ word }: Mark, boards: readonly Board[]): boolean {
  const [, key = ''] = word.match(/^(.+)-\d+$/) ?? []
  return boards.some((board) => board.key === key.toUpperCase())
}

export const some = (names: readonly string[]) =>
  names.slice(0, SOME).join(', ') + (names.length > SOME ? ', …' : '') || 'none'
