import { cache, keyOf, useAsk } from '../data/cache.ts'
import { ask, type Output, wordsOf } from '../data/client.ts'
import { send } from '../data/waiting.ts'
import { complain, say } from '../frame/toasts.tsx'
import { spent } from './clock.ts'

type Answer = Output<'time.running'>
export type Timer = Answer['items'][number]
/** What a timer is of. */
export type About = Pick<Timer, 'task_id' | 'ticket_number' | 'title' | 'project_id'>

const ASKED = { limit: 50 }
const KEY = keyOf('time.running', ASKED)
const NONE: readonly Timer[] = []

export const useTimers = (): readonly Timer[] => useAsk('time.running', ASKED).data?.items ?? NONE

/** What it counts by now: it was told with how much it had counted when it was asked for. */
export function secondsNow({ state, seconds }: Timer): number {
  const { dataUpdatedAt = Date.now() } = cache.getQueryState(KEY) ?? {}
  return seconds + (state === 'running' ? Math.max(0, Date.now() - dataUpdatedAt) / 1000 : 0)
}

/** The timers as the server knows them, for those who act before they are shown. */
export const timersNow = async (): Promise<readonly Timer[]> =>
  (await cache.ensureQueryData({ queryKey: KEY, queryFn: () => ask('time.running', ASKED) })).items

/** Shows a change at once; the next answer says how it is. */
function put(change: (timers: readonly Timer[]) => readonly Timer[]) {
  const before = cache.getQueryData<Answer>(KEY)
  if (!before) return
  void cache.cancelQueries({ queryKey: KEY })
  const counted = before.items.map((one) => ({ ...one, seconds: secondsNow(one) }))
  cache.setQueryData<Answer>(KEY, { ...before, items: [...change(counted)] })
}

/** All that counts time asks anew. */
export const readAll = () =>
  void cache.invalidateQueries({
    predicate: ({ queryKey: [name] }) => String(name).startsWith('time.'),
  })

type Deed = 'time.start' | 'time.pause' | 'time.resume' | 'time.stop'

/** Deeds about one timer go one after the other, in the order in which they were meant. */
async function act(name: Deed, { task_id }: Pick<About, 'task_id'>, note?: string) {
  const input = { task_identifier: task_id, ...(note && { note }) }
  try {
    return await send(name, input, { line: `timer:${task_id}` })
  } catch (error) {
    complain(wordsOf(error))
    return undefined
  } finally {
    readAll()
  }
}

const turned = ({ task_id }: About, state: Timer['state']) =>
  put((timers) => timers.map((one) => (one.task_id === task_id ? { ...one, state } : one)))

export async function start(task: About) {
  put((timers) => [ghostOf(task), ...timers])
  const made = await act('time.start', task)
  if (!made) return
  const { entry_id } = made
  say(`Started the timer of ${task.ticket_number}`, () => {
    leave(task)
    void act('time.stop', task)
      .then(() => send('time.delete', { entry_id }))
      .catch((error) => complain(wordsOf(error)))
      .finally(readAll)
  })
}

export function pause(task: About) {
  turned(task, 'paused')
  void act('time.pause', task)
}

export function resume(task: About) {
  turned(task, 'running')
  void act('time.resume', task)
}

const leave = ({ task_id }: About) =>
  put((timers) => timers.filter((one) => one.task_id !== task_id))

/** What was typed goes once the server has it. */
export async function stop(task: About, note: string, done: () => void) {
  leave(task)
  const entry = await act('time.stop', task, note.trim())
  if (!entry) return
  done()
  say(`Stopped: ${spent(entry.seconds)} on ${task.ticket_number}`)
}

/** As it will be, until the server has told. */
const ghostOf = ({ task_id, ticket_number, title, project_id }: About): Timer => {
  const now = new Date().toISOString()
  return {
    ...{ entry_id: 0, task_id, ticket_number, title, project_id },
    actor: { kind: 'person', name: '' } as Timer['actor'],
    ...{ state: 'running', seconds: 0, minutes: 0, started_at: now, created_at: now },
    ...{ paused_at: null, ended_at: null, date: null, note: null },
  }
}
