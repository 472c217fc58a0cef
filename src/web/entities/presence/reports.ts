import { callOperation, type Input, newIdempotencyKey, type Output } from '../../data/client.ts'
import { onSignal } from '../../data/live.ts'
import { createStore } from '../../kit/store.ts'

export interface Place {
  project_id: number
  task_id?: number | undefined
  page_id?: number | undefined
}

export type Cursor = NonNullable<Input<'presence.report'>['cursor']>
type Reported = Output<'presence.report'>['present'][number]
export type Present = Reported & { project_id: number; at: number }

const REPORT_MS = 10_000
const EXPIRES_MS = 30_000
/** Cursors move with every key; this often they are reported. */
const CURSOR_MS = 400

/** Identifies this tab. */
export const CLIENT_ID = newIdempotencyKey()

/** Everybody who is on the boards that this tab shows, by tab. */
const present = createStore<ReadonlyMap<string, Present>>(new Map())
export const usePresent = present.use

/** The places that this tab shows. */
const places = new Set<Place>()
let editing: { cursor?: Cursor | undefined } | undefined
let timer: ReturnType<typeof setInterval> | undefined
let isListening = false
/** A report of the cursor is scheduled. */
let isScheduled = false

/** Reports that this tab shows a place, until the returned function is called. */
export function enter(place: Place): () => void {
  places.add(place)
  start()
  void report()
  return () => {
    places.delete(place)
    if (places.size) void report()
    else leave(place)
  }
}

/** Reports that the text of the place is edited, and where its cursor is. */
export function reportEditing(next: typeof editing) {
  const isNew = Boolean(next) !== Boolean(editing)
  editing = next
  if (isNew) return void report()
  if (isScheduled) return
  isScheduled = true
  setTimeout(() => {
    isScheduled = false
    void report()
  }, CURSOR_MS)
}

/** Notes an actor of whom other messages tell that it is there, as those of agents. */
export function note(id: string, reported: Omit<Present, 'at' | 'client_id'>) {
  set(new Map(present.get()).set(id, { ...reported, client_id: id, at: Date.now() }))
}

function start() {
  if (!isListening)
    onSignal(({ type, project_id, data }) => {
      if (type === 'presence')
        receive(project_id, data as unknown as Reported & { is_leaving: boolean })
    })
  isListening = true
  timer ??= setInterval(() => void report(), REPORT_MS)
  document.addEventListener('visibilitychange', report)
  addEventListener('pagehide', leaveAll)
}

function leave({ project_id }: Place) {
  clearInterval(timer)
  timer = undefined
  document.removeEventListener('visibilitychange', report)
  removeEventListener('pagehide', leaveAll)
  send({ project_id, is_leaving: true })
}

const leaveAll = () => {
  const place = narrowest()
  if (place) send({ project_id: place.project_id, is_leaving: true })
}

const narrowest = () =>
  [...places].sort((a, b) => Number(!!b.page_id) - Number(!!a.page_id) || depth(b) - depth(a))[0]
const depth = ({ task_id }: Place) => (task_id ? 1 : 0)

/** A hidden tab is silent, so its user disappears after a while. */
async function report() {
  const place = narrowest()
  if (!place || document.visibilityState === 'hidden') return
  const { project_id, task_id, page_id } = place
  const input = {
    project_id,
    ...(task_id && { task_id }),
    ...(page_id && { page_id }),
    ...(editing && { is_editing: true, ...(editing.cursor && { cursor: editing.cursor }) }),
  }
  const answer = await send(input)
  if (!answer) return expire()
  const others = [...present.get()].filter(
    ([, one]) => one.project_id !== project_id || isNoted(one),
  )
  const reported = answer.present.map((one) => [one.client_id, withTime(project_id, one)] as const)
  set(new Map([...others, ...reported]))
}

const isNoted = ({ client_id }: Present) => client_id.startsWith('noted ')

const withTime = (project_id: number, one: Reported): Present => ({
  ...one,
  project_id,
  at: present.get().get(one.client_id)?.at ?? Date.now(),
})

/** Presence is no data that anybody waits for, so failures are silent. */
const send = (input: Omit<Input<'presence.report'>, 'client_id'>) =>
  callOperation('presence.report', { ...input, client_id: CLIENT_ID }).catch(() => undefined)

function receive(
  project_id: number,
  { is_leaving, ...reported }: Reported & { is_leaving: boolean },
) {
  const next = new Map(present.get())
  if (is_leaving) next.delete(reported.client_id)
  else next.set(reported.client_id, { ...reported, project_id, at: Date.now() })
  set(next)
}

const expire = () => set(present.get())

function set(next: ReadonlyMap<string, Present>) {
  const oldest = Date.now() - EXPIRES_MS
  present.set(new Map([...next].filter(([, { at }]) => at > oldest)))
}
