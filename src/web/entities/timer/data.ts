import { cache, queryKeyOf, useOperation } from '../../data/cache.ts'
import { callOperation, type Output } from '../../data/client.ts'
import { sendWrite } from '../../data/write-queue.ts'
import { showError, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { durationText } from './clock.ts'

type Answer = Output<'time.running'>
export type Timer = Answer['items'][number]
/** The task of a timer. */
export type TimedTask = Pick<Timer, 'task_id' | 'ticket_number' | 'title' | 'project_id'>

const QUERY = { limit: 50 }
const KEY = queryKeyOf('time.running', QUERY)
const NONE: readonly Timer[] = []

export const useTimers = (): readonly Timer[] =>
  useOperation('time.running', QUERY).data?.items ?? NONE

/** The current seconds of a timer: the loaded seconds plus the time since they were loaded. */
export function currentSeconds({ state, seconds }: Timer): number {
  const { dataUpdatedAt = Date.now() } = cache.getQueryState(KEY) ?? {}
  return seconds + (state === 'running' ? Math.max(0, Date.now() - dataUpdatedAt) / 1000 : 0)
}

/** Loads the timers, for actions before any timer is shown. */
export const loadTimers = async (): Promise<readonly Timer[]> =>
  (
    await cache.ensureQueryData({
      queryKey: KEY,
      queryFn: () => callOperation('time.running', QUERY),
    })
  ).items

/** Changes the cached timers until the next response. */
function patchTimers(change: (timers: readonly Timer[]) => readonly Timer[]) {
  const before = cache.getQueryData<Answer>(KEY)
  if (!before) return
  void cache.cancelQueries({ queryKey: KEY })
  const current = before.items.map((one) => ({ ...one, seconds: currentSeconds(one) }))
  cache.setQueryData<Answer>(KEY, { ...before, items: [...change(current)] })
}

/** Reloads all time queries. */
export const reloadTimes = () =>
  void cache.invalidateQueries({
    predicate: ({ queryKey: [name] }) => String(name).startsWith('time.'),
  })

type TimerOperation = 'time.start' | 'time.pause' | 'time.resume' | 'time.stop'

/** Sends an operation. Operations on one timer are queued in order. */
async function sendTimerOperation(
  name: TimerOperation,
  { task_id }: Pick<TimedTask, 'task_id'>,
  note?: string,
) {
  const input = { task_identifier: task_id, ...(note && { note }) }
  try {
    return await sendWrite(name, input, { line: `timer:${task_id}` })
  } catch (error) {
    showError(error)
    return undefined
  } finally {
    reloadTimes()
  }
}

const setState = ({ task_id }: TimedTask, state: Timer['state']) =>
  patchTimers((timers) => timers.map((one) => (one.task_id === task_id ? { ...one, state } : one)))

export async function start(task: TimedTask) {
  patchTimers((timers) => [placeholderOf(task), ...timers])
  const created = await sendTimerOperation('time.start', task)
  if (!created) return
  const { entry_id } = created
  showToast(
    t('timer.started_the_timer_of_ticket_number', { ticket_number: task.ticket_number }),
    () => {
      removeTimer(task)
      void sendTimerOperation('time.stop', task)
        .then(() => sendWrite('time.delete', { entry_id }))
        .catch(showError)
        .finally(reloadTimes)
    },
  )
}

export function pause(task: TimedTask) {
  setState(task, 'paused')
  void sendTimerOperation('time.pause', task)
}

export function resume(task: TimedTask) {
  setState(task, 'running')
  void sendTimerOperation('time.resume', task)
}

const removeTimer = ({ task_id }: TimedTask) =>
  patchTimers((timers) => timers.filter((one) => one.task_id !== task_id))

/** Stops a timer. `onStopped` discards the typed note once the server has it. */
export async function stop(task: TimedTask, note: string, onStopped: () => void) {
  removeTimer(task)
  const entry = await sendTimerOperation('time.stop', task, note.trim())
  if (!entry) return
  onStopped()
  showToast(
    t('timer.stopped_duration_on_ticket_number', {
      duration: durationText(entry.seconds),
      ticket_number: task.ticket_number,
    }),
  )
}

/** A placeholder for a timer until the server responds. */
const placeholderOf = ({ task_id, ticket_number, title, project_id }: TimedTask): Timer => {
  const now = new Date().toISOString()
  return {
    ...{ entry_id: 0, task_id, ticket_number, title, project_id },
    actor: { kind: 'person', name: '' } as Timer['actor'],
    ...{ state: 'running', seconds: 0, minutes: 0, started_at: now, created_at: now },
    ...{ paused_at: null, ended_at: null, date: null, note: null },
  }
}
