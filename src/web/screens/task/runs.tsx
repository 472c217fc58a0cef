import { Suspense, useState } from 'react'
import { useOperation } from '../../data/cache.ts'
import { type Task, useCanStartRuns } from '../../entities/task/data.ts'
import { lazyComponent } from '../../kit/lazy-component.ts'
import { LoadError } from '../../kit/load-error.tsx'
import { t } from '../../messages/t.ts'
import { DetailSection } from './detail-section.tsx'

const StartRun = lazyComponent(() => import('../../entities/agent/start-run.tsx'))
const RunLine = lazyComponent(() => import('../../entities/agent/run-line.tsx'))

interface Props {
  task: Task
  /** The form to start a run was requested from the menu. */
  requested: boolean
  onClose(): void
}

/** The agents' runs on the task, each with its transcript. */
export function Runs({ task, requested, onClose }: Props) {
  const { task_id } = task
  const list = useOperation('runs.list', { task_id, limit: 10 })
  const { data } = list
  const canStart = useCanStartRuns(task.project_id)
  const [isStarting, setStarting] = useState(false)
  const rows = data?.items ?? []
  const close = () => {
    setStarting(false)
    onClose()
  }
  return (
    <>
      <LoadError of={list} what={t('task.runs')} />
      {rows.length > 0 && (
        <DetailSection
          title={t('common.runs')}
          count={String(data?.page.total ?? rows.length)}
          end={
            canStart && (
              <button type="button" className="button quiet" onClick={() => setStarting(true)}>
                {t('task.start_a_run')}
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
        </DetailSection>
      )}
      {(requested || isStarting) && (
        <Suspense>
          <StartRun task={task} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
