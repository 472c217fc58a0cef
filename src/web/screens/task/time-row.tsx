import { Suspense, useState } from 'react'
import { useOperation } from '../../data/cache.ts'
import type { Task } from '../../entities/task/data.ts'
import { durationText } from '../../entities/timer/clock.ts'
import { pause, resume, start, useTimers } from '../../entities/timer/data.ts'
import { TimerClock } from '../../entities/timer/timer-clock.tsx'
import { stoppingTask } from '../../entities/timer/toggle.ts'
import { Icon } from '../../kit/icon.tsx'
import { lazyComponent } from '../../kit/lazy-component.ts'
import { t } from '../../messages/t.ts'
import { Row } from './row.tsx'

const Panel = lazyComponent(() => import('./time/panel.tsx'))

/** A date before any time entry, so that the report covers everything. */
const BEGINNING = '2000-01-01'

/** The time everybody spent on the task, and one's own timer. */
export function TimeRow({ task }: { task: Task }) {
  const [open, setOpen] = useState(false)
  const { task_id } = task
  const { data } = useOperation(
    'time.report',
    { task_identifier: task_id, from: BEGINNING, group_by: 'person', running: false },
    { keepPrevious: true },
  )
  const total = data?.total_seconds ?? 0
  const text = total ? durationText(total) : t('task.log_time')
  return (
    <Row name={t('common.time')}>
      <button
        type="button"
        className={`value${total ? '' : ' unset'}`}
        aria-label={t('task.time_words', { words: text })}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {text}
      </button>
      <OwnTimer task={task} />
      {open && (
        <Suspense>
          <Panel task={task} total={total} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </Row>
  )
}

/** Starts, pauses, resumes and stops one's own timer. */
function OwnTimer({ task }: { task: Task }) {
  const timer = useTimers().find(({ task_id }) => task_id === task.task_id)
  if (!timer)
    return (
      <button
        type="button"
        className="button quiet only"
        title={t('task.start_the_timer_i')}
        onClick={() => void start(task)}
      >
        <Icon name="play" label={t('task.start_the_timer')} />
      </button>
    )
  const isRunning = timer.state === 'running'
  return (
    <span className={`own-timer ${timer.state}`}>
      <TimerClock timer={timer} />
      <button
        type="button"
        className="button quiet only"
        onClick={() => (isRunning ? pause(timer) : resume(timer))}
      >
        <Icon
          name={isRunning ? 'pause' : 'play'}
          label={isRunning ? t('task.pause_the_timer') : t('task.resume_the_timer')}
        />
      </button>
      <button
        type="button"
        className="button quiet only"
        title={t('task.stop_the_timer_i')}
        onClick={() => stoppingTask.set(timer.task_id)}
      >
        <Icon name="stop" label={t('task.stop_the_timer')} />
      </button>
    </span>
  )
}
