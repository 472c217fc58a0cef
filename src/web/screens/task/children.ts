import {
  cache,
  patchQuery,
  queryKeyOf,
  useOperation,
  useOperationMutation,
} from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { patchCards } from '../../entities/board/data.ts'
import { reloadTask, type Task } from '../../entities/task/data.ts'
import { showError, showErrorToast, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'

export type Child = Output<'tasks.tree'>['tree']['children'][number]
type Parent = Pick<Task, 'task_id' | 'project_id'>

const query = (task_id: number) => ({ task_id, depth: 1 })

/** The subtasks with status Normal: archived and deleted ones are left out. */
export function useChildren({ task_id }: Parent, enabled: boolean) {
  const list = useOperation('tasks.tree', query(task_id), { enabled })
  const children = (list.data?.tree.children ?? []).filter(({ status }) => status === 'Normal')
  return { list, children }
}

/** Changes the cached subtasks and returns a function that reverts the change. */
const patchChildren = (task_id: number, change: (children: Child[]) => Child[]) =>
  patchQuery('tasks.tree', query(task_id), (current) => ({
    ...current,
    tree: { ...current.tree, children: change(current.tree.children) },
  }))

const reloadChildren = (task_id: number) => () => {
  void cache.invalidateQueries({ queryKey: queryKeyOf('tasks.tree', query(task_id)) })
  reloadTask(task_id)
}

export function useAddChild({ task_id }: Parent, onFailed: (title: string) => void) {
  return useOperationMutation('tasks.create', {
    optimistic: ({ title }) =>
      patchChildren(task_id, (children) => [...children, placeholderOf(title)]),
    onDone: reloadChildren(task_id),
    onFailed(error, { title }) {
      onFailed(title)
      showError(error)
    },
  })
}

/** A placeholder row; its negative id marks it as not created yet. */
const placeholderOf = (title: string): Child => ({
  ...{ task_id: -Date.now(), ticket_number: '…', title, section: '', done: false },
  ...{ blocked: false, status: 'Normal', priority_name: 'None', size: 'none', due_date: null },
  ...{ assignees: [], child_count: 0, children: [] },
})

/**
 * A task is done when its section counts as done, so ticking moves it to the first section with the
 * other state. Undefined until the sections are loaded.
 */
export function useToggleDone({ task_id, project_id }: Parent) {
  const { data } = useOperation('sections.list', { project_id, include_hidden: true, limit: 50 })
  const sections = data?.items ?? []
  const findSection = (id: number | undefined) => sections.find((one) => one.section_id === id)
  const { mutate } = useOperationMutation('tasks.update', {
    optimistic({ task_id: child, section_id }) {
      const { title = '', done = false } = findSection(section_id) ?? {}
      const revertBoard = patchCards(project_id, new Set([child!]), (card) => ({
        ...card,
        section_id: section_id!,
      }))
      const revertTree = patchChildren(task_id, (children) =>
        children.map((item) => (item.task_id === child ? { ...item, section: title, done } : item)),
      )
      return () => {
        revertTree()
        revertBoard()
      }
    },
    onDone: reloadChildren(task_id),
    onFailed: showError,
  })
  if (!data) return undefined
  return (child: Child) => {
    const to = sections.find(({ done }) => done !== child.done)
    const from = sections.find(({ title }) => title === child.section)
    if (!to) return showErrorToast(child.done ? t('task.no_open_column') : t('task.no_done_column'))
    mutate({ task_id: child.task_id, section_id: to.section_id })
    showToast(
      t('task.moved_ticket_number_to_title', {
        ticket_number: child.ticket_number,
        title: to.title,
      }),
      () => mutate({ task_id: child.task_id, section_id: from?.section_id ?? to.section_id }),
    )
  }
}
