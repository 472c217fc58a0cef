import type { Output } from '../../../data/client.ts'
import { sendWrite } from '../../../data/write-queue.ts'
import { durationText } from '../../../entities/timer/clock.ts'
import { reloadTimes, type TimedTask } from '../../../entities/timer/data.ts'
import { deleteLater } from '../../../kit/delayed-delete.ts'
import { showError, showToast } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'

export type Entry = Output<'time.list'>['items'][number]
export interface EntryFields {
  minutes: number
  date: string
  note: string
}

const MINUTE = 60

/** Sends a request whose error no form shows; returns whether it succeeded. */
const trySend = (request: Promise<unknown>): Promise<boolean> =>
  request
    .then(
      () => true,
      (error) => {
        showError(error)
        return false
      },
    )
    .finally(reloadTimes)

export const log = ({ task_id, ticket_number }: TimedTask, fields: EntryFields) =>
  sendWrite('time.log', { task_identifier: task_id, ...fields })
    .then(({ entry_id }) =>
      showToast(
        t('task.logged_duration_on_ticket_number', {
          duration: durationText(fields.minutes * MINUTE),
          ticket_number,
        }),
        () => {
          void trySend(sendWrite('time.delete', { entry_id }))
        },
      ),
    )
    .finally(reloadTimes)

/** Sends only the changed fields: changing the minutes turns a timer's entry into a logged one. */
export function correctEntry(entry: Entry, before: EntryFields, next: EntryFields) {
  const { entry_id, ticket_number } = entry
  const change = (from: EntryFields, to: EntryFields) =>
    sendWrite('time.update', {
      entry_id,
      ...(to.minutes !== from.minutes && { minutes: to.minutes }),
      ...(to.date !== from.date && { date: to.date }),
      ...(to.note !== from.note && { note: to.note || null }),
    })
  return change(before, next)
    .then(() =>
      showToast(
        t('task.updated_the_time_on_ticket_number', { ticket_number }),
        () => void trySend(change(next, before)),
      ),
    )
    .finally(reloadTimes)
}

export const pendingDeleteName = (entry_id: number) => `time ${entry_id}`

/** Deletes an entry after the undo time has passed. */
export const deleteEntry = ({ entry_id, ticket_number, seconds }: Entry) =>
  deleteLater({
    what: pendingDeleteName(entry_id),
    message: t('task.deleted_duration_on_ticket_number', {
      duration: durationText(seconds),
      ticket_number,
    }),
    run: () => sendWrite('time.delete', { entry_id }).finally(reloadTimes),
  })
