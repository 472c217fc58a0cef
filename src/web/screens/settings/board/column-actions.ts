import { cache, patchQuery, queryKeyOf } from '../../../data/cache.ts'
import type { Input, Output } from '../../../data/client.ts'
import { sendWrite } from '../../../data/write-queue.ts'
import { colorName } from '../../../entities/board/colors.ts'
import { parseLimit } from '../../../entities/board/limit.ts'
import { showErrorToast } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'
import { type Column, columnsQuery, reloadBoard, runWrite } from './data.ts'

type Fields = Omit<Input<'sections.update'>, 'project_id' | 'section_id'>
type Rows = Output<'sections.list'>

const cachedColumns = (project_id: number): readonly Column[] =>
  cache.getQueryData<Rows>(queryKeyOf('sections.list', columnsQuery(project_id)))?.items ?? []

const patchColumns = (project_id: number, change: (rows: Column[]) => Column[]) =>
  patchQuery('sections.list', columnsQuery(project_id), (all) => ({
    ...all,
    items: change(all.items),
  }))

/** Writes to the sections of a board are queued in order. */
const write = (input: Input<'sections.update'>) =>
  sendWrite('sections.update', input, {
    line: `columns of ${input.project_id}`,
  }).then(() => reloadBoard(input.project_id))

interface Change {
  message?: string
  fields: Fields
  /** Further fields to show, if `fields` alone are not enough. */
  shown?: Partial<Column>
  before: Fields
}

/** Changes a section optimistically. */
export function change(
  column: Column,
  { message, fields, shown: patch, before }: Change,
): Promise<boolean> {
  const { project_id, section_id } = column
  return runWrite({
    change: () =>
      patchColumns(project_id, (rows) =>
        rows.map((one) =>
          one.section_id === section_id ? ({ ...one, ...fields, ...patch } as Column) : one,
        ),
      ),
    send: () => write({ project_id, section_id, ...fields }),
    message,
    undo: () => change(column, { fields: before, shown: column, before: fields }),
  })
}

export const rename = (column: Column, title: string) =>
  change(column, {
    message: t('common.renamed_to_title', { title }),
    fields: { title },
    before: fieldBefore(column, 'title'),
  })

const fieldBefore = (
  column: Column,
  field: 'title' | 'role' | 'hidden' | 'is_done' | 'wip_limit' | 'color',
) => ({ [field]: column[field] }) as Fields

export function limit(column: Column, text: string): Promise<boolean> {
  const wip_limit = parseLimit(text)
  if (wip_limit === undefined) {
    showErrorToast(t('settings.the_limit_must_be_a_number_from'))
    return Promise.resolve(false)
  }
  const { title } = column
  const message =
    wip_limit === null
      ? t('settings.removed_limit_of_title', { title })
      : t('settings.set_limit_of_title_to_wip_limit', { title, wip_limit })
  return change(column, {
    message,
    fields: { wip_limit },
    before: fieldBefore(column, 'wip_limit'),
  })
}

export function setColor(column: Column, color: string | null) {
  const { title } = column
  const message = color
    ? t('settings.set_colour_of_title_to_name', { title, name: colorName(color).toLowerCase() })
    : t('settings.removed_colour_of_title', { title })
  return change(column, { message, fields: { color }, before: fieldBefore(column, 'color') })
}

export const setRole = (column: Column, role: Column['role']) =>
  change(column, {
    ...{
      message: t('settings.set_role_of_title_to_role', { title: column.title, role }),
      fields: { role },
      before: fieldBefore(column, 'role'),
    },
  })

export function setDone(column: Column, is_done: boolean | null) {
  const { title } = column
  const message = {
    true: t('settings.title_counts_as_done', { title }),
    false: t('settings.title_does_not_count_as_done', { title }),
    null: t('settings.whether_title_counts_as_done_depends_on', { title }),
  }[`${is_done}`]
  const shown = is_done === null ? {} : { done: is_done }
  return change(column, {
    message,
    fields: { is_done },
    shown,
    before: fieldBefore(column, 'is_done'),
  })
}

export const setHidden = (column: Column, hidden: boolean) =>
  change(column, {
    message: hidden
      ? t('common.hid_title', { title: column.title })
      : t('common.showed_title', { title: column.title }),
    ...{ fields: { hidden }, before: fieldBefore(column, 'hidden') },
  })

type Actor = NonNullable<Column['auto_assign']>

export const keyOfActor = ({ agent_id, user_id }: Pick<Actor, 'agent_id' | 'user_id'>) =>
  agent_id ?? user_id ?? 0

export function assign(column: Column, assignee: Actor | undefined) {
  const { title, auto_assign: before } = column
  return change(column, {
    message: assignee
      ? t('settings.title_now_assigns_tasks_to_name', { title, name: assignee.name })
      : t('settings.title_no_longer_assigns_tasks', { title }),
    fields: { auto_assign: assignee ? keyOfActor(assignee) : null },
    shown: { auto_assign: assignee ?? null },
    before: { auto_assign: before && keyOfActor(before) },
  })
}

/** Moves a section to an index. */
export function moveTo(project_id: number, section_id: number, to: number, isUndo = false) {
  const columns = cachedColumns(project_id)
  const from = columns.findIndex((one) => one.section_id === section_id)
  const moved = columns[from]
  // An undo is sent in any case: the list may not show yet that somebody else moved the column.
  if (!moved || !columns[to] || (to === from && !isUndo)) return
  const next = columns.toSpliced(from, 1).toSpliced(to, 0, moved)
  const move_after_section_id = next[to - 1]?.section_id ?? null
  void runWrite({
    change: () => patchColumns(project_id, () => next),
    send: () => write({ project_id, section_id, move_after_section_id }),
    topic: `place of ${section_id}`,
    message: isUndo
      ? undefined
      : t('settings.moved_title_now_column_value_of_count', {
          title: moved.title,
          value: to + 1,
          count: columns.length,
        }),
    undo: () => moveTo(project_id, section_id, from, true),
  })
}

export const placeOf = (project_id: number, section_id: number) =>
  cachedColumns(project_id).findIndex((one) => one.section_id === section_id)

export function add(project_id: number, title: string): Promise<boolean> {
  return runWrite({
    async send() {
      const created = await sendWrite('sections.create', { project_id, title })
      reloadBoard(project_id)
      return created
    },
    message: t('settings.added_title', { title }),
    undo: ({ section_id }) => sendWrite('sections.delete', { project_id, section_id }),
  })
}

/** Deletes a section. Its tasks move to section `to`. */
export async function remove({ project_id, section_id }: Column, to: number | undefined) {
  await sendWrite('sections.delete', {
    ...{ project_id, section_id },
    ...(to !== undefined && { move_tasks_to_section_id: to }),
  })
  void cache.invalidateQueries({ queryKey: ['sections.list'] })
  reloadBoard(project_id)
}

/** Creates an empty section again, with its former settings. */
export async function recreate(column: Column, at: number) {
  const { project_id, title, is_done, role, hidden, wip_limit, color, auto_assign } = column
  const after_section_id = cachedColumns(project_id)[at - 1]?.section_id ?? null
  const fields = { project_id, title, is_done, role, hidden, wip_limit, color, after_section_id }
  const { section_id } = await sendWrite('sections.create', fields)
  if (auto_assign) await write({ project_id, section_id, auto_assign: keyOfActor(auto_assign) })
}
