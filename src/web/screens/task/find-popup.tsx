import { Combobox } from '@base-ui/react/combobox'
import { useState } from 'react'
import { useOperation } from '../../data/cache.ts'
import { type QuickTask, tasksIn, useQuickFind } from '../../entities/quick-find/quick-find.ts'
import { LoadError } from '../../kit/load-error.tsx'
import type { PopupProps } from '../../kit/opener.tsx'
import { t } from '../../messages/t.ts'

export type FoundTask = QuickTask

export interface FindProps {
  label: string
  /** Ids of tasks to leave out of the results. */
  excludedIds: readonly number[]
  /** Limits the search to this board. */
  project_id?: number
  onPick(task: FoundTask): void
}

/** A search field for a key or words, with the matching tasks. */
export default function FindPopup({
  label,
  excludedIds,
  project_id,
  onPick,
  ...opened
}: FindProps & PopupProps) {
  const { id, anchor, finalFocus, onOpenChange } = opened
  const [text, setText] = useState('')
  const { list, tasks: found } = useFoundTasks(text, project_id)
  const tasks = found.filter(({ task_id }) => !excludedIds.includes(task_id))
  return (
    <Combobox.Root
      items={tasks}
      filter={null}
      value={null}
      open
      onOpenChange={onOpenChange}
      inputValue={text}
      onInputValueChange={setText}
      onValueChange={(task: FoundTask | null) => task && onPick(task)}
      itemToStringLabel={({ title }: FoundTask) => title}
      autoHighlight
    >
      <Combobox.Portal>
        <Combobox.Positioner className="above" sideOffset={4} align="start" anchor={anchor}>
          <Combobox.Popup
            id={id}
            className="popup find"
            aria-label={label}
            {...(finalFocus && { finalFocus })}
          >
            <Combobox.Input className="search" placeholder={label} aria-label={label} />
            <LoadError of={list} what={t('common.tasks_inline')} />
            <Combobox.Empty className="nothing">
              {list.data &&
                (text.trim() ? t('common.no_matching_tasks') : t('task.type_a_key_or_words'))}
            </Combobox.Empty>
            <Combobox.List>
              {(task: FoundTask) => (
                <Combobox.Item key={task.task_id} value={task} className="item">
                  <span className="key">{task.ticket_number}</span>
                  <span className="name">{task.title}</span>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  )
}

const MAX_TASKS = 12

/** The matching tasks; without a text, open ones. */
function useFoundTasks(text: string, project_id: number | undefined) {
  const scope = project_id ? { project_id } : {}
  const openTasks = useOperation('search.tasks', { query: 'is:open', limit: MAX_TASKS, ...scope })
  const quick = useQuickFind(text, { kinds: 'task', limit: MAX_TASKS, ...scope })
  return text.trim()
    ? { list: quick.list, tasks: tasksIn(quick.matches) }
    : { list: openTasks, tasks: (openTasks.data?.items ?? []) as FoundTask[] }
}
