import { cache, queryKeyOf } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import { sendWrite } from '../../data/write-queue.ts'
import { dueText } from '../../kit/dates.ts'
import { showError, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { fetchAllRead, type InboxQuery, reloadInbox } from './data.ts'
import { type OptimisticChange, showOptimistically } from './optimistic.ts'
import type { Action, Note } from './types.ts'

/** The most notifications per request. */
const MAX_IDS = 100
const QUEUE = 'inbox'

const idsOf = (notes: readonly Note[]) => notes.map(({ notification_id }) => notification_id)

const CHANGES: Record<Action, () => OptimisticChange> = {
  read: () => ({ read_at: new Date().toISOString() }),
  unread: () => ({ read_at: null }),
  archive: () => null,
  unarchive: () => null,
}

/**
 * Shows a change optimistically while an operation runs, then the server's list, or the previous
 * one on failure.
 */
async function runOptimistically(
  notes: readonly Note[],
  change: OptimisticChange,
  operation: () => Promise<unknown>,
) {
  const endChange = showOptimistically(idsOf(notes), change)
  try {
    await operation()
    await reloadInbox()
    return true
  } catch (error) {
    void reloadInbox()
    showError(error)
    return false
  } finally {
    endChange()
  }
}

type Summary = Output<'inbox.summary'>

/** Updates the unread counts in the sidebar before the server responds. */
function updateSummary(notes: readonly Note[], isRead: boolean) {
  const key = queryKeyOf('inbox.summary', {})
  const changed = notes.filter(({ read_at, archived_at }) => !archived_at && !read_at === isRead)
  const add = (count: number, notes: readonly Note[]) =>
    Math.max(0, count + (isRead ? -notes.length : notes.length))
  cache.setQueryData<Summary>(
    key,
    (before) =>
      before && {
        ...before,
        unread: add(before.unread, changed),
        important: add(
          before.important,
          changed.filter(({ important }) => important),
        ),
      },
  )
}

async function sendMarks(action: Action, ids: readonly number[]) {
  for (let start = 0; start < ids.length; start += MAX_IDS)
    await sendWrite(
      'inbox.mark',
      { action, notification_ids: ids.slice(start, start + MAX_IDS) },
      { line: QUEUE },
    )
}

function mark(notes: readonly Note[], action: Action) {
  if (action !== 'unarchive') updateSummary(notes, action !== 'unread')
  return runOptimistically(notes, CHANGES[action](), () => sendMarks(action, idsOf(notes)))
}

const nameOf = (notes: readonly Note[]) =>
  notes.length === 1
    ? t('inbox.the_notification_of_ticket_number', { ticket_number: notes[0]!.task.ticket_number })
    : t('inbox.count_notifications', { count: notes.length })

/** Marks a notification as read by opening it. This shows no message. */
export const markSeen = (note: Note) => void (note.read_at || mark([note], 'read'))

export async function setRead(notes: readonly Note[], isRead: boolean) {
  const [action, undoAction] = isRead
    ? (['read', 'unread'] as const)
    : (['unread', 'read'] as const)
  const changed = notes.filter(({ read_at }) => !read_at === isRead)
  if (!changed.length || !(await mark(changed, action))) return
  const name = nameOf(changed)
  showToast(
    isRead ? t('inbox.marked_name_as_read', { name }) : t('inbox.marked_name_as_unread', { name }),
    () => void mark(changed, undoAction),
  )
}

export async function archive(notes: readonly Note[], revert?: () => void) {
  if (!notes.length || !(await mark(notes, 'archive'))) return
  showToast(
    t('inbox.archived_name', { name: nameOf(notes) }),
    () => void mark(notes, 'unarchive').then(revert),
  )
}

export async function unarchive(notes: readonly Note[]) {
  if (!notes.length || !(await mark(notes, 'unarchive'))) return
  showToast(t('inbox.moved_name_back', { name: nameOf(notes) }), () => void mark(notes, 'archive'))
}

/** Archives all read notifications that match the query, including those not loaded yet. */
export async function archiveRead(query: InboxQuery) {
  try {
    const notes = await fetchAllRead(query)
    if (notes.length) return await archive(notes)
    showToast(t('inbox.no_read_notifications'))
  } catch (error) {
    showError(error)
  }
}

/** Snoozes the tasks and archives their notifications. */
export async function snooze(notes: readonly Note[], until: string) {
  const tasks = [...new Map(notes.map(({ task }) => [task.task_id, task])).values()]
  const set = async (time: string | null) => {
    for (const { task_id } of tasks) await sendWrite('tasks.snooze', { task_id, until: time })
  }
  const isDone = await runOptimistically(notes, null, async () => {
    await set(until)
    await sendMarks('archive', idsOf(notes))
  })
  if (!isDone) return
  const what =
    tasks.length === 1 ? tasks[0]!.ticket_number : t('inbox.count_tasks', { count: tasks.length })
  showToast(t('inbox.snoozed_what_until_short', { what, short: dueText(until).short }), () => {
    void runOptimistically(notes, null, async () => {
      await set(null)
      await sendMarks('unarchive', idsOf(notes))
    })
  })
}

interface Field {
  name: string
  startSending(text: string): void
  finishSending(text: string): void
  failSending(text: string): void
}

/** The reply as a comment: to the comment of the notification, or else with a mention. */
function commentOf({ actor, comment_id, task: { task_id } }: Note, text: string) {
  const { user_id, agent_id, name: display_name } = actor
  const mention = { display_name, ...(agent_id ? { agent_id } : { user_id: user_id! }) }
  return {
    ...{ task_id, content_type: 'markdown' as const },
    ...(comment_id
      ? { text, reply_to_comment_id: comment_id }
      : { text: `@${display_name} ${text}`, mentions: [mention] }),
  }
}

/** Posts a reply and archives the notification. Returns whether the reply was posted. */
export async function sendReply(note: Note, text: string, verb: string, field: Field) {
  let isPosted = false
  field.startSending(text)
  updateSummary([note], true)
  const isDone = await runOptimistically([note], null, async () => {
    await sendWrite('comments.add', commentOf(note, text), { draft: field.name })
    isPosted = true
    field.finishSending(text)
    await sendMarks('archive', idsOf([note]))
  })
  if (isDone)
    showToast(
      t('inbox.verb_on_ticket_number_and_archived_the', {
        verb,
        ticket_number: note.task.ticket_number,
      }),
      () => void mark([note], 'unarchive'),
    )
  else if (!isPosted) field.failSending(text)
  return isPosted
}
