import { sendWrite } from '../../../data/write-queue.ts'
import { showError } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'
import type { NewTaskDefaults } from '../quick-add/create-task.ts'
import { QuickAdd } from '../quick-add/quick-add.tsx'
import { chainOf, type Group, NONE, valueInGroup } from './grouping.ts'
import type { TaskChange, Value } from './types.ts'
import type { Table } from './use-table.ts'

interface Props {
  project_id: number
  group: Group | undefined
  table: Table
  newTaskDefaults: NewTaskDefaults
  onAdded(): void
  onClose(): void
  onRefused(): void
}

/** The field for a new task, which gets the values of its group. */
export function NewTask({ project_id, group, table, newTaskDefaults, ...events }: Props) {
  const { shown } = table.context
  const chain = chainOf(group)
  const section = chain.find(({ field }) => field.kind === 'section')
  const column =
    shown.find(({ section_id }) => String(section_id) === section?.key) ??
    shown.find(({ done }) => !done) ??
    shown[0]
  if (!column) return null
  const { defaults, change } = valuesOf(chain, newTaskDefaults, table.today)
  const name = chain.map((one) => one.name).join(', ')
  return (
    <QuickAdd
      {...{ project_id, column, ...events }}
      newTaskDefaults={defaults}
      {...(group && { placeName: t('table.in_name', { name }) })}
      onCreated={(task_id) => {
        if (Object.keys(change).length)
          sendWrite('tasks.update_each', { changes: [{ task_id, ...change }] }).catch(showError)
      }}
    />
  )
}

/** What a new task is created with, and what can only be set once it exists. */
function valuesOf(chain: readonly Group[], newTaskDefaults: NewTaskDefaults, today: string) {
  let defaults: NewTaskDefaults = { ...newTaskDefaults }
  let change: Partial<TaskChange> = {}
  for (const { field, key } of chain) {
    if (key === NONE || field.kind === 'section' || !field.toChange) continue
    const row = { card: { labels: [], assignees: [] } as never, details: undefined }
    const value = valueInGroup(field, row, { from: undefined, to: key, today })
    if (value === undefined) continue
    const own = defaultsOf(field.kind, field.name, value, newTaskDefaults)
    if (own) defaults = { ...defaults, ...own }
    else change = { ...change, ...field.toChange(value) }
  }
  return { defaults, change }
}

function defaultsOf(
  kind: string,
  name: string,
  value: Value,
  { labels = [], assignee_ids = [] }: NewTaskDefaults,
): NewTaskDefaults | undefined {
  const [first] = Array.isArray(value) ? value : []
  if (kind === 'labels') return { labels: [...new Set([...labels, first as number])] }
  if (kind === 'people')
    return typeof first === 'number'
      ? { assignee_ids: [...new Set([...assignee_ids, first])] }
      : undefined
  if (kind === 'parent') return { parent_task_id: value as number }
  if (name === 'priority') return { priority: value as number }
  if (name === 'size') return { estimate: value as number }
  return name === 'due' ? { due_date: value as string } : undefined
}
