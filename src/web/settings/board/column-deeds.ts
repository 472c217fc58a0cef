import { limitIn } from '../../board/limit-column.tsx'
import { cache, keyOf } from '../../data/cache.ts'
import type { Input, Output } from '../../data/client.ts'
import { send } from '../../data/waiting.ts'
import { complain } from '../../frame/toasts.tsx'
import { type Column, columnsOf, readBoard, showAhead, turn } from './data.ts'

type Fields = Omit<Input<'sections.update'>, 'project_id' | 'section_id'>
type Rows = Output<'sections.list'>

const now = (project_id: number): readonly Column[] =>
  cache.getQueryData<Rows>(keyOf('sections.list', columnsOf(project_id)))?.items ?? []

const show = (project_id: number, change: (rows: Column[]) => Column[]) =>
  showAhead('sections.list', columnsOf(project_id), (all) => ({
    ...all,
    items: change(all.items),
  }))

/** What is done to the columns of one board is done in the order in which it was asked for. */
const write = (input: Input<'sections.update'>) =>
  send('sections.update', input, { line: `columns of ${input.project_id}` }).then(() =>
    readBoard(input.project_id),
  )

interface Change {
  words?: string
  fields: Fields
  /** How that looks, where the fields alone do not say it. */
  shown?: Partial<Column>
  before: Fields
}

/** Changes a column, shown at once. */
export function change(column: Column, { words, fields, shown, before }: Change): Promise<boolean> {
  const { project_id, section_id } = column
  const back = show(project_id, (rows) =>
    rows.map((one) =>
      one.section_id === section_id ? ({ ...one, ...fields, ...shown } as Column) : one,
    ),
  )
  const made = write({ project_id, section_id, ...fields })
  const undo = () => change(column, { fields: before, shown: column, before: fields })
  return turn({ made, back, words, undo })
}

export const rename = (column: Column, title: string) =>
  change(column, { words: `Renamed to ${title}`, fields: { title }, before: was(column, 'title') })

const was = (column: Column, field: 'title' | 'role' | 'hidden' | 'is_done' | 'wip_limit') =>
  ({ [field]: column[field] }) as Fields

export function limit(column: Column, text: string): Promise<boolean> {
  const wip_limit = limitIn(text)
  if (wip_limit === undefined) {
    complain('A limit is a number from 1 to 1000, or nothing')
    return Promise.resolve(false)
  }
  const { title } = column
  const words =
    wip_limit === null ? `No limit for ${title}` : `${title} is for ${wip_limit} at most`
  return change(column, { words, fields: { wip_limit }, before: was(column, 'wip_limit') })
}

export const setRole = (column: Column, role: Column['role']) =>
  change(column, {
    ...{ words: `${column.title} is for ${role}`, fields: { role }, before: was(column, 'role') },
  })

export function setDone(column: Column, is_done: boolean | null) {
  const { title } = column
  const words = {
    true: `${title} counts as done`,
    false: `${title} does not count as done`,
    null: `The name of ${title} says whether it is done`,
  }[`${is_done}`]
  const shown = is_done === null ? {} : { done: is_done }
  return change(column, { words, fields: { is_done }, shown, before: was(column, 'is_done') })
}

export const setHidden = (column: Column, hidden: boolean) =>
  change(column, {
    words: `${hidden ? 'Hid' : 'Showed'} ${column.title}`,
    ...{ fields: { hidden }, before: was(column, 'hidden') },
  })

type Actor = NonNullable<Column['auto_assign']>

export const keyOfActor = ({ agent_id, user_id }: Pick<Actor, 'agent_id' | 'user_id'>) =>
  agent_id ?? user_id ?? 0

export function assign(column: Column, who: Actor | undefined) {
  const { title, auto_assign: before } = column
  return change(column, {
    words: who ? `${title} assigns ${who.name}` : `${title} assigns nobody`,
    fields: { auto_assign: who ? keyOfActor(who) : null },
    shown: { auto_assign: who ?? null },
    before: { auto_assign: before && keyOfActor(before) },
  })
}

/** To this place among all of them. */
export function moveTo(project_id: number, section_id: number, to: number, isUndo = false) {
  const rows = now(project_id)
  const from = rows.findIndex((one) => one.section_id === section_id)
  const moved = rows[from]
  if (!moved || !rows[to] || to === from) return
  const next = rows.toSpliced(from, 1).toSpliced(to, 0, moved)
  const back = show(project_id, () => next)
  const move_after_section_id = next[to - 1]?.section_id ?? null
  void turn({
    made: write({ project_id, section_id, move_after_section_id }),
    ...{ back, about: `place of ${section_id}` },
    words: isUndo ? undefined : `Moved ${moved.title}, now column ${to + 1} of ${rows.length}`,
    undo: () => moveTo(project_id, section_id, from, true),
  })
}

export const placeOf = (project_id: number, section_id: number) =>
  now(project_id).findIndex((one) => one.section_id === section_id)

export function add(project_id: number, title: string): Promise<boolean> {
  const made = send('sections.create', { project_id, title })
  const back = () => {}
  void made.then(() => readBoard(project_id)).catch(back)
  return turn({
    ...{ made, back, words: `Added ${title}` },
    undo: async () => send('sections.delete', { project_id, section_id: (await made).section_id }),
  })
}

/** Its tasks go where they are sent. */
export async function remove({ project_id, section_id }: Column, to: number | undefined) {
  await send('sections.delete', {
    ...{ project_id, section_id },
    ...(to !== undefined && { move_tasks_to_section_id: to }),
  })
  void cache.invalidateQueries({ queryKey: ['sections.list'] })
  readBoard(project_id)
}

/** One in which nothing was comes back as it was. */
export async function makeAgain(column: Column, at: number) {
  const { project_id, title, is_done, role, hidden, wip_limit, auto_assign } = column
  const after_section_id = now(project_id)[at - 1]?.section_id ?? null
  const given = { project_id, title, is_done, role, hidden, wip_limit, after_section_id }
  const { section_id } = await send('sections.create', given)
  if (auto_assign) await write({ project_id, section_id, auto_assign: keyOfActor(auto_assign) })
}
