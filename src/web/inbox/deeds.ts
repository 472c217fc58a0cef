import { cache, keyOf } from '../data/cache.ts'
import { type Output, wordsOf } from '../data/client.ts'
import { send } from '../data/waiting.ts'
import { complain, say } from '../frame/toasts.tsx'
import { dueWords } from '../parts/dates.ts'
import { type Ahead, showAhead } from './ahead.ts'
import { type Asked, allRead, readInbox } from './data.ts'
import type { Action, Note } from './shapes.ts'

/** More than these are not marked with one request. */
const MOST = 100
const LINE = 'inbox'

const idsOf = (notes: readonly Note[]) => notes.map(({ notification_id }) => notification_id)

const AHEAD: Record<Action, () => Ahead> = {
  read: () => ({ read_at: new Date().toISOString() }),
  unread: () => ({ read_at: null }),
  archive: () => null,
  unarchive: () => null,
}

/** Shown at once; afterwards the server's list is shown, or what was shown before. */
async function does(notes: readonly Note[], change: Ahead, deed: () => Promise<unknown>) {
  const end = showAhead(idsOf(notes), change)
  try {
    await deed()
    await readInbox()
    return true
  } catch (error) {
    void readInbox()
    complain(wordsOf(error))
    return false
  } finally {
    end()
  }
}

type Summary = Output<'inbox.summary'>

/** The count beside the inbox is right before the server was asked. */
function countAhead(notes: readonly Note[], isRead: boolean) {
  const key = keyOf('inbox.summary', {})
  const turned = notes.filter(({ read_at, archived_at }) => !archived_at && !read_at === isRead)
  const add = (many: number, some: readonly Note[]) =>
    Math.max(0, many + (isRead ? -some.length : some.length))
  cache.setQueryData<Summary>(
    key,
    (before) =>
      before && {
        ...before,
        unread: add(before.unread, turned),
        important: add(
          before.important,
          turned.filter(({ important }) => important),
        ),
      },
  )
}

async function send100(action: Action, ids: readonly number[]) {
  for (let at = 0; at < ids.length; at += MOST)
    await send('inbox.mark', { action, notification_ids: ids.slice(at, at + MOST) }, { line: LINE })
}

function mark(notes: readonly Note[], action: Action) {
  if (action !== 'unarchive') countAhead(notes, action !== 'unread')
  return does(notes, AHEAD[action](), () => send100(action, idsOf(notes)))
}

const named = (notes: readonly Note[]) =>
  notes.length === 1
    ? `the notification of ${notes[0]!.task.ticket_number}`
    : `${notes.length} notifications`

/** Nobody is told of what they do by looking. */
export const look = (note: Note) => void (note.read_at || mark([note], 'read'))

export async function turnRead(notes: readonly Note[], isRead: boolean) {
  const [action, other] = isRead ? (['read', 'unread'] as const) : (['unread', 'read'] as const)
  const others = notes.filter(({ read_at }) => !read_at === isRead)
  if (!others.length || !(await mark(others, action))) return
  say(`Marked ${named(others)} as ${action}`, () => void mark(others, other))
}

export async function archive(notes: readonly Note[], back?: () => void) {
  if (!notes.length || !(await mark(notes, 'archive'))) return
  say(`Archived ${named(notes)}`, () => void mark(notes, 'unarchive').then(back))
}

export async function unarchive(notes: readonly Note[]) {
  if (!notes.length || !(await mark(notes, 'unarchive'))) return
  say(`Moved ${named(notes)} back`, () => void mark(notes, 'archive'))
}

/** Whatever was read of what is shown goes away, also what the list has not come to yet. */
export async function archiveRead(asked: Asked) {
  try {
    const notes = await allRead(asked)
    if (notes.length) return await archive(notes)
    say('Nothing here was read yet')
  } catch (error) {
    complain(wordsOf(error))
  }
}

/** The tasks are away until then, and what was told of them with them. */
export async function snooze(notes: readonly Note[], until: string) {
  const tasks = [...new Map(notes.map(({ task }) => [task.task_id, task])).values()]
  const set = async (to: string | null) => {
    for (const { task_id } of tasks) await send('tasks.snooze', { task_id, until: to })
  }
  const isDone = await does(notes, null, async () => {
    await set(until)
    await send100('archive', idsOf(notes))
  })
  if (!isDone) return
  const what = tasks.length === 1 ? tasks[0]!.ticket_number : `${tasks.length} tasks`
  say(`Snoozed ${what} until ${dueWords(until).short}`, () => {
    void does(notes, null, async () => {
      await set(null)
      await send100('unarchive', idsOf(notes))
    })
  })
}

interface Field {
  name: string
  sent(words: string): void
  done(words: string): void
  lost(words: string): void
}

/** As a comment on the task, below the one that it answers where there is one. */
function commentOf({ actor, comment_id, task: { task_id } }: Note, words: string) {
  const { user_id, agent_id, name: display_name } = actor
  const who = { display_name, ...(agent_id ? { agent_id } : { user_id: user_id! }) }
  return {
    ...{ task_id, content_type: 'markdown' as const },
    ...(comment_id
      ? { text: words, reply_to_comment_id: comment_id }
      : { text: `@${display_name} ${words}`, mentions: [who] }),
  }
}

/** Writes back to whoever asked, and puts away what they asked. Answers whether it was taken. */
export async function writeBack(note: Note, words: string, verb: string, field: Field) {
  let isSaid = false
  field.sent(words)
  countAhead([note], true)
  const isDone = await does([note], null, async () => {
    await send('comments.add', commentOf(note, words), { draft: field.name })
    isSaid = true
    field.done(words)
    await send100('archive', idsOf([note]))
  })
  if (isDone)
    say(`${verb} on ${note.task.ticket_number}, and archived`, () => void mark([note], 'unarchive'))
  else if (!isSaid) field.lost(words)
  return isSaid
}
