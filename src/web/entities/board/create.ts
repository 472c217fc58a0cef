import { cache, patchQuery } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { sendWrite } from '../../data/write-queue.ts'
import type { Creation } from '../../kit/pick-popup.tsx'
import { recordUndo, showError } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { useMe } from '../user/me.ts'
import { COLORS } from './colors.ts'
import { currentBoard, type Label, patchBoard, type Section } from './data.ts'

const MAX_NAME = 100

/** Guests cannot create labels, columns and options. */
export function useMayCreate(project_id: number): boolean {
  const me = useMe()
  const board = me?.boards.find((one) => one.project_id === project_id)
  const role = me?.teams.find(({ team_id }) => team_id === board?.team_id)?.role
  return role !== undefined && role !== 'guest' && me!.permissions.includes('projects:write')
}

/** The first colour that no label has yet. */
export function unusedColor(labels: readonly { color: string }[]): string {
  const used = new Set(labels.map(({ color }) => color))
  const [, color] =
    COLORS.find(([, one]) => !used.has(one)) ?? COLORS[labels.length % COLORS.length]!
  return color
}

/** Lets a label picker create labels; undefined for guests. */
export function useLabelCreation(
  project_id: number,
  labels: readonly { color: string }[],
  onCreated: (label: Label) => void,
): Creation | undefined {
  if (!useMayCreate(project_id)) return undefined
  return {
    label: (typed) => t('board.create_label_typed', { typed }),
    maxLength: MAX_NAME,
    colors: COLORS,
    initialColor: unusedColor(labels),
    run: (name, color) =>
      void createLabel(project_id, name, color).then(onCreated).catch(showError),
  }
}

/** Lets a column picker create columns; undefined for guests. */
export function useColumnCreation(
  project_id: number,
  onCreated: (section_id: number, title: string) => void,
): Creation | undefined {
  if (!useMayCreate(project_id)) return undefined
  return {
    label: (typed) => t('board.create_column_typed', { typed }),
    maxLength: MAX_NAME,
    run: (title) =>
      void createColumn(project_id, title)
        .then((section_id) => onCreated(section_id, title))
        .catch(showError),
  }
}

/** Lets the picker of a custom field create options; undefined for guests. */
export function useOptionCreation(
  project_id: number,
  field: Field,
  onCreated: (option_id: string) => void,
): Creation | undefined {
  if (!useMayCreate(project_id)) return undefined
  return {
    label: (typed) => t('board.create_option_typed', { typed }),
    maxLength: MAX_NAME,
    run: (name) => void createOption(project_id, field, name).then(onCreated).catch(showError),
  }
}

const reload = (name: 'labels.list' | 'sections.list', project_id: number) =>
  void cache.invalidateQueries({ queryKey: [name, { project_id }] })

/** Creates a label and shows it in the lists. */
export async function createLabel(project_id: number, name: string, color: string): Promise<Label> {
  const label = await sendWrite('labels.create', { project_id, name, color })
  const { label_id } = label
  const row = { label_id, name: label.name, color: label.color }
  patchBoard(project_id, (board) => ({
    ...board,
    labels: [...board.labels.filter((one) => one.label_id !== label_id), row],
  }))
  reload('labels.list', project_id)
  recordUndo({
    what: t('board.new_label_name', { name }),
    async undo() {
      await sendWrite('labels.delete', { project_id, label_id })
      return true
    },
  })
  return row
}

const EMPTY = { done: false, hidden: false, wip_limit: null, task_count: 0 } as const

const showColumn = (project_id: number, section: Section) =>
  patchBoard(project_id, (board) => ({
    ...board,
    sections: [
      ...board.sections.filter(({ section_id }) => section_id !== section.section_id),
      section,
    ],
  }))

/** Creates a column after the last one. */
async function createColumn(project_id: number, title: string): Promise<number> {
  const last = currentBoard(project_id)?.sections.at(-1)
  const after_section_id = last?.section_id ?? null
  const { section_id } = await sendWrite('sections.create', { project_id, title, after_section_id })
  if (last) showColumn(project_id, { ...last, ...EMPTY, section_id, title })
  reload('sections.list', project_id)
  recordUndo({
    what: t('board.new_column_title', { title }),
    async undo() {
      await sendWrite('sections.delete', { project_id, section_id })
      return true
    },
  })
  return section_id
}

type Field = Pick<Output<'custom_fields.list'>['items'][number], 'field_id' | 'name' | 'options'>

/** Adds an option to a custom field; resolves to its id. */
async function createOption(project_id: number, field: Field, label: string) {
  const { field_id, name, options } = field
  const { options: created } = await sendWrite('custom_fields.update', {
    ...{ project_id, field_id },
    options: [...options.map(({ option_id, label }) => ({ option_id, label })), { label }],
  })
  patchQuery('custom_fields.list', { project_id, limit: 50 }, (list) => ({
    ...list,
    items: list.items.map((one) =>
      one.field_id === field_id ? { ...one, options: created } : one,
    ),
  }))
  recordUndo({
    what: t('board.new_option_label_of_name', { label, name }),
    async undo() {
      await sendWrite('custom_fields.update', { project_id, field_id, options: [...options] })
      return true
    },
  })
  return created.find((one) => one.label === label)!.option_id
}
