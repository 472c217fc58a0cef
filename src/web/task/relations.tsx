import { useState } from 'react'
import { cache, keyOf, useAct, useAsk } from '../data/cache.ts'
import { type Output, wordsOf } from '../data/client.ts'
import { complain, say } from '../frame/toasts.tsx'
import { Icon } from '../parts/icon.tsx'
import { LoadError } from '../parts/load-error.tsx'
import { Menu } from '../parts/menu.tsx'
import { readAgain, type Task } from './data.ts'
import { FindTask, type Found } from './find.tsx'
import { Part } from './part.tsx'
import { TaskLine } from './task-link.tsx'

type Rows = Output<'relations.list'>
type Row = Rows['items'][number]
type Kind = Row['relation_type']

/** As this task sees the other. */
const KINDS: readonly [Kind, string][] = [
  ['BlockedBy', 'Waits for'],
  ['BlockedTo', 'Blocks'],
  ['RelatedTo', 'Related to'],
]

export function Relations({ task, asked }: { task: Task; asked: boolean }) {
  const { task_id } = task
  const list = useAsk('relations.list', { task_id, limit: 50 })
  const rows = list.data?.items ?? []
  const { link, unlink } = useLinks(task)
  if (!rows.length && !asked) return <LoadError of={list} what="relations" />
  return (
    <Part title="Relations" asked={asked} end={<Add task={task} rows={rows} onPick={link} />}>
      {KINDS.map(([kind, name]) => {
        const some = rows.filter(({ relation_type }) => relation_type === kind)
        return (
          some.length > 0 && (
            <div key={kind} className={`kind ${kind}`}>
              <h3>{name}</h3>
              <ul className="others">
                {some.map((row) => (
                  <TaskLine key={row.relation_id} {...row}>
                    <button type="button" className="button quiet only" onClick={() => unlink(row)}>
                      <Icon name="close" label={`Unlink ${row.ticket_number}`} />
                    </button>
                  </TaskLine>
                ))}
              </ul>
            </div>
          )
        )
      })}
      <LoadError of={list} what="relations" />
      {list.data && !rows.length && (
        <p className="soft">What this task waits for, blocks or has to do with stands here.</p>
      )}
    </Part>
  )
}

/** First what the other task is to this one, then which. */
function Add({
  task,
  rows,
  onPick,
}: {
  task: Task
  rows: readonly Row[]
  onPick(kind: Kind, other: Found): void
}) {
  const [kind, setKind] = useState<Kind>('RelatedTo')
  const name = KINDS.find(([one]) => one === kind)![1]
  return (
    <>
      <Menu
        label="What the other task is to this one"
        trigger={
          <button type="button" className="button quiet">
            {name}
          </button>
        }
        groups={[KINDS.map(([one, name]) => ({ name, run: () => setKind(one) }))]}
      />
      <FindTask
        label={`${name} which task?`}
        without={[task.task_id, ...rows.map(({ task_id }) => task_id)]}
        onPick={(other) => onPick(kind, other)}
        trigger={
          <button type="button" className="button quiet only" aria-label={`${name}: add a task`}>
            <Icon name="plus" />
          </button>
        }
      />
    </>
  )
}

function useLinks(task: Task) {
  const { task_id } = task
  const key = keyOf('relations.list', { task_id, limit: 50 })
  const put = (change: (items: Row[]) => Row[]) => {
    void cache.cancelQueries({ queryKey: key })
    const before = cache.getQueryData<Rows>(key)
    cache.setQueryData<Rows>(key, (rows) => rows && { ...rows, items: change(rows.items) })
    return () => void cache.setQueryData(key, before)
  }
  const again = {
    done() {
      void cache.invalidateQueries({ queryKey: key })
      readAgain(task_id)
    },
    failed: (error: Error) => complain(wordsOf(error)),
  }
  const made = useAct('relations.create', again)
  const gone = useAct('relations.delete', {
    ...again,
    ahead: ({ target_task_id, relation_type }) =>
      put((items) =>
        items.filter(
          (one) => one.task_id !== target_task_id || one.relation_type !== relation_type,
        ),
      ),
  })
  const create = (relation_type: Kind, target_task_id: number) =>
    made.act({ source_task_id: task_id, target_task_id, relation_type })
  return {
    link(kind: Kind, other: Found) {
      const { ticket_number, title, section, section_id, project_id, done, status } = other
      const shown = { ticket_number, title, section, section_id, project_id, done, status }
      const at = { relation_id: -Date.now(), created_at: new Date().toISOString() }
      put((items) => [...items, { ...shown, ...at, task_id: other.task_id, relation_type: kind }])
      create(kind, other.task_id)
    },
    unlink({ relation_type, task_id: target_task_id, ticket_number }: Row) {
      gone.act({ source_task_id: task_id, target_task_id, relation_type })
      say(`Unlinked ${ticket_number}`, () => create(relation_type, target_task_id))
    },
  }
}
