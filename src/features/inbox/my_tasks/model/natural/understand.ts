import { eq } from 'drizzle-orm'
import type { Context } from '../../../../../kernel/caller.ts'
import { fault } from '../../../../../kernel/fault.ts'
import { chooseLanguage } from '../../../../../languages/index.ts'
import type { Project } from '../../../../boards/projects/model/index.ts'
import { asActor, people } from '../../../../identity/people/model/index.ts'
import { priorityName, SIZES } from '../../../../tasks/fields/model/index.ts'
import { callerActor, findAssignees } from './assignees.ts'
import type { ParsingContext } from './days.ts'
import { titleOf, withoutLiterals } from './literal.ts'
import { findPriorities, findSizes } from './marks.ts'
import { findBoard, findLabels, type Reading, takePart } from './references.ts'
import { duplicate, readSchedule, type Unused } from './schedule.ts'
import type { Understood } from './schema.ts'

export type { Reading } from './references.ts'
export type Parsers = ParsingContext['parsers']

/** Loads the date parsers on first use, which keeps startup fast. */
export const loadParsers = async (): Promise<Parsers> => await import('chrono-node/en')

/** Starts reading a line and finds the board that it names. */
export async function readBoard(ctx: Context, line: string, keepsBoard = false) {
  const reading: Reading = { line, free: withoutLiterals(line), parts: [], notes: [] }
  return { reading, project_id: keepsBoard ? undefined : await findBoard(ctx, reading) }
}

/** Reads the fields of a task from a line. The rest of the line is its title. */
export async function understand(
  ctx: Context,
  board: Project,
  reading: Reading,
  parsers: Parsers,
): Promise<{ understood: Understood; draft: Draft }> {
  const labels = await findLabels(ctx, board, reading)
  const assigned = await findAssignees(ctx, board, reading)
  const { priority, others } = readPriority(reading)
  const estimate = readSize(reading)
  const { due_date, recurrence, parts, unused } = readSchedule(
    reading.free,
    await parsingContext(ctx, parsers),
  )
  warnOfUnused(ctx, reading, [...others, ...unused])
  for (const { means, from, to } of parts) takePart(reading, means, from, to)
  const title = titleOf(reading.line, reading.parts)
  const assignees = assigned.length ? assigned : await callerActor(ctx)
  const when = { title, due_date, recurrence, priority, estimate }
  const understood = {
    ...when,
    priority_name: priorityName(priority),
    project_id: board.project_id,
    project_title: board.title,
    labels: labels.map(({ name }) => name),
    assignees: assignees.map(asActor),
    parts: reading.parts.sort((a, b) => a.from - b.from),
  }
  const label_ids = labels.map(({ label_id }) => label_id)
  const assignee_ids = assigned.length
    ? assigned.map(({ actor_id, agent_id }) => agent_id ?? actor_id)
    : ['me']
  return { understood, draft: { ...when, labels: label_ids, assignee_ids } }
}

type DraftField = 'title' | 'due_date' | 'recurrence' | 'priority' | 'estimate'
interface Draft extends Pick<Understood, DraftField> {
  labels: number[]
  assignee_ids: readonly (number | string)[]
}

/** Matches a title with content, not only separators left between recognized parts. */
const CONTENT = /[\p{L}\p{N}\p{S}]/u

const NAMES = ['urgent', 'high', 'medium', 'low']

/** The last priority in the line wins. */
function readPriority(reading: Reading) {
  const found = findPriorities(reading.free)
  const last = found.pop()
  const others = found.map(({ text }) => duplicate('priority', text))
  if (!last) return { priority: 0, others }
  takePart(reading, 'priority', last.from, last.to)
  const { priority } = last
  const number = typeof priority === 'number' ? priority : NAMES.indexOf(priority.toLowerCase()) + 1
  return { priority: number, others }
}

/** The last size in the line wins; the others stay in the title. */
function readSize(reading: Reading): number {
  const last = findSizes(reading.free).at(-1)
  if (!last) return 0
  takePart(reading, 'estimate', last.from, last.to)
  return SIZES.indexOf(last.name as (typeof SIZES)[number])
}

/** Dates are read in the format of the person's locale; for an agent, of its owner's. */
async function parsingContext(
  { tx, caller, now }: Context,
  parsers: Parsers,
): Promise<ParsingContext> {
  const [person] = await tx
    .select({ locale: people.locale })
    .from(people)
    .where(eq(people.actor_id, caller.person_id))
  const at = Temporal.Instant.fromEpochMilliseconds(now.getTime())
  const { accept_language } = caller
  const { language, locale } = chooseLanguage({ locale: person?.locale, accept_language })
  return {
    now: at.toZonedDateTimeISO(caller.time_zone),
    monthFirst: isMonthFirst(locale),
    language,
    parsers,
  }
}

function isMonthFirst(locale: string): boolean {
  const parts = new Intl.DateTimeFormat(locale, { dateStyle: 'short' }).formatToParts()
  const order = parts.map(({ type }) => type)
  return order.indexOf('month') < order.indexOf('day')
}

const MOST_WARNINGS = 5

/** Warns of words that look meaningful but stay in the title. */
function warnOfUnused(ctx: Context, { notes }: Reading, unused: readonly Unused[]) {
  const notices = notes.map((note) => ({ field: 'title', ...note }))
  const all = [...notices, ...unused.map(warningOf)]
  const byMessage = new Map(all.map((note) => [note.message, note]))
  for (const { field, code, message } of [...byMessage.values()].slice(0, MOST_WARNINGS))
    ctx.warn(field, code, message)
}

const warningOf = ({ field, code, text, reason }: Unused) => ({
  field,
  code,
  message: `"${text}" stays in the title: ${reason}`,
})

/** Refuses an empty title. A dry run does not call this, because the user is still typing. */
export function refuseEmpty({ title, parts }: Understood, line: string) {
  if (!parts.length || CONTENT.test(title)) return
  throw fault.invalid(
    'title',
    'required',
    'The title is empty: all of it was parsed as other fields',
    line,
    'Add the task itself, or put literal text in quotes: "Weekly"',
  )
}
