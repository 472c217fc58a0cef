import { useSyncExternalStore } from 'react'
import { Link } from 'wouter'
import { Icon } from '../parts/icon.tsx'
import { Escalations, Proof } from './called.tsx'
import type { Session } from './run.tsx'
import { Block } from './work.tsx'

type Near = Session['task']

/** What stands around a run: what it was asked, what it shows for it, and the tasks beside its own. */
export function Around({ run }: { run: Session }) {
  const { prompt, prompted_by, agent, task, parent_tasks, subtasks } = run
  const own = { name: agent.name, ...(agent.agent_id && { agent_id: agent.agent_id }) }
  const isWide = useWide()
  const inside = (
    <>
      <Escalations agent={own} tasks={[task.task_id]} />
      {prompt && (
        <Block title="Asked last">
          <p className="asked" dir="auto">
            {prompt}
          </p>
          {prompted_by && <p className="soft">by {prompted_by.name}</p>}
        </Block>
      )}
      <Proof agent={own} tasks={[task.task_id]} />
      <Tasks title="Part of" tasks={parent_tasks} />
      <Tasks title="Sub-tasks" tasks={subtasks} />
    </>
  )
  if (isWide) return <aside aria-label="About this run">{inside}</aside>
  return (
    <details className="around">
      <summary>About this run</summary>
      {inside}
    </details>
  )
}

const wide = matchMedia('(min-width: 64rem)')
const useWide = () =>
  useSyncExternalStore(
    (tell) => {
      wide.addEventListener('change', tell)
      return () => wide.removeEventListener('change', tell)
    },
    () => wide.matches,
  )

function Tasks({ title, tasks }: { title: string; tasks: readonly Near[] }) {
  if (!tasks.length) return null
  return (
    <Block title={title} count={tasks.length}>
      <ul className="near">
        {tasks.map((one) => (
          <li key={one.task_id} className={one.done ? 'done' : ''}>
            <Link href={`/t/${one.ticket_number}`}>
              {one.done ? <Icon name="done" label="Done" /> : <span className="ring" />}
              <span className="key">{one.ticket_number}</span>
              <span className="name">{one.title}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Block>
  )
}
