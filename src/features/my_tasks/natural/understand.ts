import { eq } from 'drizzle-orm'
import type { Context } from '../../../kernel/caller.ts'
import { fault } from '../../../kernel/fault.ts'
import { asActor, people } from '../../people/index.ts'
import type { Project } from '../../projects/index.ts'
import { priorityName } from '../../tasks/index.ts'
import type { Asking } from './days.ts'
import { titleOf, withoutLiterals } from './literal.ts'
import { prioritiesIn } from './marks.ts'
import { boardNamed, labelsNamed, type Reading, take } from './named.ts'
import type { Understood } from './schema.ts'
import { twice, type Unused, whenIn } from './when.ts'
import { assigneesNamed, oneself } from './whom.ts'

export type { Reading } from './named.ts'
export type Words = Asking['words']

/** Loaded when somebody asks for it, so that a start need not wait for it. */
export const words = async (): Promise<Words> => await import('chrono-node/en')

/** The line, and the board that it names. */
export async function boardIn(ctx: Context, line: string) {
  const reading: Reading = { line, free: withoutLiterals(line), parts: [], notes: [] }
  return { reading, project_id: await boardNamed(ctx, reading) }
}

/** What a line says of a task on that board; what is no part of it is the title. */
export async function understand(
  ctx: Context,
  board: Project,
  reading: Reading,
  words: Words,
): Promise<{ understood: Understood; draft: Draft }> {
  const labels = await labelsNamed(ctx, board, reading)
  const named = await assigneesNamed(ctx, board, reading)
  const { priority, others } = priorityIn(reading)
  const { due_date, recurrence, parts, unused } = whenIn(reading.free, await asking(ctx, words))
  tell(ctx, reading, [...others, ...unused])
  for (const { means, from, to } of parts) take(reading, means, from, to)
  const title = titleOf(reading.line, reading.parts)
  const assignees = named.length ? named : await oneself(ctx)
  const when = { title, due_date, recurrence, priority }
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
  const assignee_ids = named.length
    ? named.map(({ actor_id, agent_id }) => agent_id ?? actor_id)
    : ['me']
  return { understood, draft: { ...when, labels: label_ids, assignee_ids } }
}

interface Draft extends Pick<Understood, 'title' | 'due_date' | 'recurrence' | 'priority'> {
  labels: number[]
  assignee_ids: readonly (number | string)[]
}

/** More than the signs that stood between what was taken. */
const SAYS = /[\p{L}\p{N}\p{S}]/u

const NAMES = ['urgent', 'high', 'medium', 'low']

/** Of several, the last. */
function priorityIn(reading: Reading) {
  const all = prioritiesIn(reading.free)
  const meant = all.pop()
  const others = all.map(({ text }) => twice('priority', text))
  if (!meant) return { priority: 0, others }
  take(reading, 'priority', meant.from, meant.to)
  const { priority } = meant
  const number = typeof priority === 'number' ? priority : NAMES.indexOf(priority.toLowerCase()) + 1
  return { priority: number, others }
}

/** Dates are read as the person writes them; an agent, as its owner does. */
async function asking({ tx, caller, now }: Context, words: Words): Promise<Asking> {
  const [person] = await tx
    .select({ locale: people.locale })
    .from(people)
    .where(eq(people.actor_id, caller.person_id))
  const at = Temporal.Instant.fromEpochMilliseconds(now.getTime())
  return {
    now: at.toZonedDateTimeISO(caller.time_zone),
    monthFirst: isMonthFirst(person?.locale ?? 'en'),
    words,
  }
}

function isMonthFirst(locale: string): boolean {
  const parts = new Intl.DateTimeFormat(locale, { dateStyle: 'short' }).formatToParts()
  const order = parts.map(({ type }) => type)
  return order.indexOf('month') < order.indexOf('day')
}

const MOST_WARNINGS = 5

/** What stays in the title though it looks as if it meant something. */
function tell(ctx: Context, { notes }: Reading, unused: readonly Unused[]) {
  const named = notes.map((note) => ({ field: 'title', ...note }))
  const all = [...named, ...unused.map(noteOf)]
  const once = new Map(all.map((note) => [note.message, note]))
  for (const { field, code, message } of [...once.values()].slice(0, MOST_WARNINGS))
    ctx.warn(field, code, message)
}

const noteOf = ({ field, code, text, why }: Unused) => ({
  ...{ field, code, message: `"${text}" stays in the title: ${why}` },
})

/** Whoever shows what is understood may do so while the rest is still being typed. */
export function refuseEmpty({ title, parts }: Understood, line: string) {
  if (!parts.length || SAYS.test(title)) return
  throw fault.invalid(
    'title',
    'required',
    'Nothing is left for a title: all of it was understood as something else',
    line,
    'Say what there is to do as well, or quote what is meant as it stands: "Weekly"',
  )
}
