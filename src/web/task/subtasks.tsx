import { useState } from 'react'
import { cache, keyOf, useAct, useAsk } from '../data/cache.ts'
import { type Output, wordsOf } from '../data/client.ts'
import { complain } from '../frame/toasts.tsx'
import { Icon } from '../parts/icon.tsx'
import { readAgain, type Task } from './data.ts'
import { Part } from './part.tsx'
import { TaskLine } from './task-link.tsx'

type Tree = Output<'tasks.tree'>

/** Sub-tasks, and one more by a title and Enter. */
export function Subtasks({ task, asked }: { task: Task; asked: boolean }) {
  const { task_id } = task
  const has = task.subtask_count > 0
  const { data } = useAsk('tasks.tree', { task_id, depth: 1 }, { enabled: has || asked })
  const children = (data?.tree.children ?? []).filter(({ status }) => status === 'Normal')
  const done = children.filter((one) => one.done).length
  const said = `${done} of ${children.length} done`
  if (!has && !asked) return null
  return (
    <Part title="Sub-tasks" count={children.length ? said : ''}>
      {children.length > 0 && (
        <progress className="share" value={done} max={children.length} aria-label={said} />
      )}
      <ul className="lines">
        {children.map(({ children: _, ...one }) => (
          <TaskLine key={one.task_id} {...one} />
        ))}
      </ul>
      <AddSubtask task={task} autoFocus={asked} />
    </Part>
  )
}

function AddSubtask({ task, autoFocus }: { task: Task; autoFocus: boolean }) {
  const [title, setTitle] = useState('')
  const { task_id, project_id } = task
  const key = keyOf('tasks.tree', { task_id, depth: 1 })
  const { act, busy } = useAct('tasks.create', {
    ahead({ title }) {
      const before = cache.getQueryData<Tree>(key)
      cache.setQueryData<Tree>(key, (tree) => tree && withChild(tree, title))
      return () => void cache.setQueryData(key, before)
    },
    done() {
      void cache.invalidateQueries({ queryKey: key })
      readAgain(task_id)
    },
    failed(error, { title: lost }) {
      setTitle((now) => now || lost)
      complain(wordsOf(error))
    },
  })
  return (
    <form
      className="add-line"
      onSubmit={(event) => {
        event.preventDefault()
        if (!title.trim()) return
        act({ project_id, parent_task_id: task_id, title: title.trim() })
        setTitle('')
      }}
    >
      <Icon name="plus" />
      <input
        aria-label="New sub-task"
        placeholder="Add a sub-task"
        maxLength={500}
        // biome-ignore lint/a11y/noAutofocus: it opens because somebody asked to type here
        autoFocus={autoFocus}
        value={title}
        aria-busy={busy}
        onChange={(event) => setTitle(event.target.value)}
      />
    </form>
  )
}

function withChild(tree: Tree, title: string): Tree {
  const like = tree.tree.children[0]
  if (!like) return tree
  const child = { ...like, task_id: -Date.now(), ticket_number: '…', title, done: false }
  return { ...tree, tree: { ...tree.tree, children: [...tree.tree.children, child] } }
}
