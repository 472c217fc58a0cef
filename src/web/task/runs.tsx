import { Suspense, useState } from 'react'
import { useAsk } from '../data/cache.ts'
import { LoadError } from '../parts/load-error.tsx'
import { part } from '../parts/part.ts'
import { type Task, useMaySetToWork } from './data.ts'
import { Part } from './part.tsx'

const StartRun = part(() => import('../agents/start-run.tsx'))
const RunLine = part(() => import('../agents/run-line.tsx'))

interface Props {
  task: Task
  /** Somebody asked for one to be started. */
  asked: boolean
  onClose(): void
}

/** What agents did on the task, each piece of work with its transcript. */
export function Runs({ task, asked, onClose }: Props) {
  const { task_id } = task
  const list = useAsk('runs.list', { task_id, limit: 10 })
  const { data } = list
  const mayStart = useMaySetToWork(task.project_id)
  const [isStarting, setStarting] = useState(false)
  const rows = data?.items ?? []
  const close = () => {
    setStarting(false)
    onClose()
  }
  return (
    <>
      <LoadError of={list} what="runs" />
      {rows.length > 0 && (
        <Part
          title="Runs"
          count={String(data?.page.total ?? rows.length)}
          end={
            mayStart && (
              <button type="button" className="button quiet" onClick={() => setStarting(true)}>
                Start a run…
              </button>
            )
          }
        >
          <ul className="runs">
            <Suspense>
              {rows.map((run) => (
                <li key={run.run_id}>
                  <RunLine run={run} name={run.agent.name} />
                </li>
              ))}
            </Suspense>
          </ul>
        </Part>
      )}
      {(asked || isStarting) && (
        <Suspense>
          <StartRun task={task} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
