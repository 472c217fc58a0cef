import { cache, keyOf } from '../data/cache.ts'
import { cell } from '../data/cell.ts'
import { ask, type Output } from '../data/client.ts'
import { type About, sentOf } from './place.ts'
import { newTalk, type Talk, talkOf } from './talk.ts'

export interface Now {
  talk: Talk
  about: About
  /** It may change things without asking; of a thread that is there the server knows. */
  allow_writes?: boolean
}

const NAME = 'chat-thread'
export const now = cell<Now | undefined>(undefined)

/** The page may be loaded again. */
export function keep({ talk }: Now) {
  const thread_id = talk.thread.get()
  if (thread_id === undefined) sessionStorage.removeItem(NAME)
  else sessionStorage.setItem(NAME, String(thread_id))
}

const same = (a: About, b: About) => a.task === b.task && a.project_id === b.project_id

export function openThread(thread_id: number, about: About = {}) {
  const next = { talk: talkOf(thread_id), about }
  keep(next)
  now.put(next)
}

export function openNew(about: About) {
  sessionStorage.removeItem(NAME)
  now.put({ talk: newTalk(), about })
}

type Rows = Output<'chat.threads'>
export const rowsOf = (about: About) => ({ ...sentOf(about), limit: 20 })

/** The conversation that was left, or the last one about what is on the screen, or a new one. */
export async function openLast(about: About, isKept = false) {
  const before = now.get()
  if (before && same(before.about, about)) return
  const kept = Number(sessionStorage.getItem(NAME))
  if (isKept && kept) return openThread(kept, about)
  openNew(about)
  const mine = now.get()
  const last = await lastOf(about)
  // Somebody may have begun to say something meanwhile.
  if (last && now.get() === mine && !mine!.talk.live.get()) openThread(last.thread_id, about)
}

/** Of a board it is about none of its tasks. */
async function lastOf(about: About) {
  const rows = await cache
    .fetchQuery<unknown, Error, Rows>({
      queryKey: keyOf('chat.threads', rowsOf(about)),
      queryFn: () => ask('chat.threads', rowsOf(about)),
    })
    .catch(() => undefined)
  return rows?.items.find(
    ({ task, project }) =>
      task?.ticket_number === about.task &&
      (about.task || project?.project_id === about.project_id),
  )
}
