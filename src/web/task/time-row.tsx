import { Suspense, useState } from 'react'
import { useAsk } from '../data/cache.ts'
import { Icon } from '../parts/icon.tsx'
import { part } from '../parts/part.ts'
import { spent } from '../timers/clock.ts'
import { pause, resume, start, useTimers } from '../timers/data.ts'
import { Ticking } from '../timers/ticking.tsx'
import { stopping } from '../timers/toggle.ts'
import type { Task } from './data.ts'
import { Row } from './row.tsx'

const Panel = part(() => import('../timers/panel.tsx'))

/** Since there were tasks. */
const EVER = '2000-01-01'

/** What was spent on a task by all, and one's own timer of it. */
export function TimeRow({ task }: { task: Task }) {
  const [open, setOpen] = useState(false)
  const { task_id } = task
  const { data } = useAsk(
    'time.report',
    { task_identifier: task_id, from: EVER, group_by: 'person', running: false },
    { keep: true },
  )
  const total = data?.total_seconds ?? 0
  const words = total ? spent(total) : 'Log time'
  return (
    <Row name="Time">
      <button
        type="button"
        className={`value${total ? '' : ' unset'}`}
        aria-label={`Time: ${words}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {words}
      </button>
      <Mine task={task} />
      {open && (
        <Suspense>
          <Panel task={task} total={total} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </Row>
  )
}

/** Starts, pauses, goes on and stops. */
function Mine({ task }: { task: Task }) {
  const timer = useTimers().find(({ task_id }) => task_id === task.task_id)
  if (!timer)
    return (
      <button
        type="button"
        className="button quiet only"
        title="Start the timer (I)"
        onClick={() => void start(task)}
      >
        <Icon name="play" label="Start the timer" />
      </button>
    )
  const runs = timer.state === 'running'
  return (
    <span className={`own-timer ${timer.state}`}>
      <Ticking timer={timer} />
      <button
        type="button"
        className="button quiet only"
        onClick={() => (runs ? pause(timer) : resume(timer))}
      >
        <Icon
          name={runs ? 'pause' : 'play'}
          label={runs ? 'Pause the timer' : 'Resume the timer'}
        />
      </button>
      <button
        type="button"
        className="button quiet only"
        title="Stop the timer (I)"
        onClick={() => stopping.put(timer.task_id)}
      >
        <Icon name="stop" label="Stop the timer" />
      </button>
    </span>
  )
}
