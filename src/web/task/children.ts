import { patchCards } from '../board/data.ts'
import { cache, keyOf, useAct, useAsk } from '../data/cache.ts'
import { type Output, wordsOf } from '../data/client.ts'
import { complain, say } from '../frame/toasts.tsx'
import { readAgain, type Task } from './data.ts'

type Tree = Output<'tasks.tree'>
export type Child = Tree['tree']['children'][number]
type Of = Pick<Task, 'task_id' | 'project_id'>

const query = (task_id: number) => ({ task_id, depth: 1 })

/** The sub-tasks that are neither archived nor deleted. */
export function useChildren({ task_id }: Of, enabled: boolean) {
  const list = useAsk('tasks.tree', query(task_id), { enabled })
  const children = (list.data?.tree.children ?? []).filter(({ status }) => status === 'Normal')
  return { list, children }
}

/** Shows other sub-tasks, and answers how that is taken back. */
function patchChildren(task_id: number, change: (children: Child[]) => Child[]) {
  const key = keyOf('tasks.tree', query(task_id))
  void cache.cancelQueries({ queryKey: key })
  const before = cache.getQueryData<Tree>(key)
  cache.setQueryData<Tree>(
    key,
    (now) => now && { ...now, tree: { ...now.tree, children: change(now.tree.children) } },
  )
  return () => void cache.setQueryData(key, before)
}

const again = (task_id: number) => () => {
  void cache.invalidateQueries({ queryKey: keyOf('tasks.tree', query(task_id)) })
  readAgain(task_id)
}

export function useAdd({ task_id }: Of, lost: (title: string) => void) {
  return useAct('tasks.create', {
    ahead: ({ title }) => patchChildren(task_id, (some) => [...some, ghostOf(title)]),
    done: again(task_id),
    failed(error, { title }) {
      lost(title)
      complain(wordsOf(error))
    },
  })
}

/** Until the server has given it a number, a task has one below nought. */
const ghostOf = (title: string): Child => ({
  ...{ task_id: -Date.now(), ticket_number: '…', title, section: '', done: false },
  ...{ blocked: false, status: 'Normal', priority_name: 'None', size: 'none', due_date: null },
  ...{ assignees: [], child_count: 0, children: [] },
})

/** Done is what stands in a column that counts as done, so a tick moves it there and back. */
export function useTick({ task_id, project_id }: Of) {
  const { data } = useAsk('sections.list', { project_id, include_hidden: true, limit: 50 })
  const sections = data?.items ?? []
  const named = (id: number | undefined) => sections.find((one) => one.section_id === id)
  const { act } = useAct('tasks.update', {
    ahead({ task_id: child, section_id }) {
      const { title = '', done = false } = named(section_id) ?? {}
      const onBoard = patchCards(project_id, new Set([child!]), (card) => ({
        ...card,
        section_id: section_id!,
      }))
      const here = patchChildren(task_id, (some) =>
        some.map((one) => (one.task_id === child ? { ...one, section: title, done } : one)),
      )
      return () => {
        here()
        onBoard()
      }
    },
    done: again(task_id),
    failed: (error) => complain(wordsOf(error)),
  })
  return (child: Child) => {
    const to = sections.find(({ done }) => done !== child.done)
    const from = sections.find(({ title }) => title === child.section)
    if (!to) return complain('This board has no column for that')
    act({ task_id: child.task_id, section_id: to.section_id })
    say(`Moved ${child.ticket_number} to ${to.title}`, () =>
      act({ task_id: child.task_id, section_id: from?.section_id ?? to.section_id }),
    )
  }
}
