import { type Output, wordsOf } from '../data/client.ts'
import { send } from '../data/waiting.ts'
import { complain, say } from '../frame/toasts.tsx'
import { isGone, later, notGone } from '../task/later.ts'
import { spent } from './clock.ts'
import { type About, readAll } from './data.ts'

export type Entry = Output<'time.list'>['items'][number]
export interface Written {
  minutes: number
  date: string
  note: string
}

const MINUTE = 60

/** Answers whether the server has it, so that nothing typed is lost where it has not. */
async function sent(deed: Promise<unknown>): Promise<boolean> {
  try {
    await deed
    return true
  } catch (error) {
    complain(wordsOf(error))
    return false
  } finally {
    readAll()
  }
}

export const log = ({ task_id, ticket_number }: About, written: Written) =>
  sent(
    send('time.log', { task_identifier: task_id, ...written }).then(({ entry_id }) =>
      say(`Logged ${spent(written.minutes * MINUTE)} on ${ticket_number}`, () => {
        void sent(send('time.delete', { entry_id }))
      }),
    ),
  )

/** Only what is another: new minutes make an entry of a timer one that was logged. */
export function correct(entry: Entry, before: Written, next: Written) {
  const { entry_id, ticket_number } = entry
  const change = (from: Written, to: Written) =>
    send('time.update', {
      entry_id,
      ...(to.minutes !== from.minutes && { minutes: to.minutes }),
      ...(to.date !== from.date && { date: to.date }),
      ...(to.note !== from.note && { note: to.note || null }),
    })
  return sent(
    change(before, next).then(() =>
      say(`Corrected the time on ${ticket_number}`, () => void sent(change(next, before))),
    ),
  )
}

const nameOf = (entry_id: number) => `time ${entry_id}`
export const isErased = (entry_id: number) => isGone(nameOf(entry_id))

/** Deleted for good once nobody has taken it back. */
export function erase({ entry_id, ticket_number, seconds }: Entry, changed: () => void) {
  later({
    what: nameOf(entry_id),
    words: `Deleted ${spent(seconds)} on ${ticket_number}`,
    run: () =>
      void sent(send('time.delete', { entry_id })).then((isDone) => {
        if (isDone) return
        notGone(nameOf(entry_id))
        changed()
      }),
    back: changed,
  })
  changed()
}
