import type { Tx } from '../../kernel/caller.ts'
import type { Logged } from '../../store/log.ts'
import { actorsOf, asActor } from '../people/index.ts'
import { type EventName, messageId } from './rules.ts'
import { type Message, MOST_TEXT } from './schema.ts'

export type { Message } from './schema.ts'

/** Changes as one agent is told of them; the same words whichever way they go. */
export async function messagesOf(
  tx: Tx,
  actor_id: number,
  some: readonly Logged[],
): Promise<Message[]> {
  const by = await actorsOf(
    tx,
    some.map((change) => change.actor_id),
  )
  return some.map((change) => ({
    id: messageId(actor_id, change),
    type: change.type as EventName,
    created_at: change.created_at.toISOString(),
    project_id: change.project_id,
    actor: asActor(by.get(change.actor_id)!),
    data: dataOf(change),
  }))
}

type Data = Record<string, unknown>

/** Told to many agents, a change is put into words once. */
const words = new WeakMap<Logged, Data>()

function dataOf(change: Logged): Data {
  const before = words.get(change)
  if (before) return before
  const { type, task_id, data } = change
  const { ticket_number, title } = data
  const about = task_id === null ? {} : { task_id, ticket_number, title }
  const said = SAID[type as EventName](data)
  const told = present({ ...about, ...said })
  words.set(change, told)
  return told
}

const comment = ({ comment_id }: Data) => ({ comment_id })
const spoken = (data: Data) => ({ ...comment(data), text: cut(data.snippet ?? '') })
const handed = ({ actor }: Data) => ({ assignee: actor })
const run = ({ run_id, state, prompt, origin, comment_id }: Data) => ({
  ...{ run_id, state, origin, comment_id },
  prompt: cut(prompt),
})

/** What of the log is for others to read. */
const SAID: Readonly<Record<EventName, (data: Data) => Data>> = {
  'task.created': ({ section_id }) => ({ section_id }),
  'task.updated': ({ changed, before, after }) => ({
    changed,
    before: shortened(before),
    after: shortened(after),
  }),
  'task.assigned': handed,
  'task.unassigned': handed,
  'comment.created': (data) => ({
    ...spoken(data),
    reply_to_comment_id: data.reply_to_comment_id,
  }),
  'comment.mention': (data) => ({
    ...spoken(data),
    ...{ mentioned: data.actor, skills: data.skills },
  }),
  'comment.reaction': (data) => ({ ...comment(data), emoji: data.emoji, added: data.added }),
  'chat.message': ({ thread_id, text }) => ({ thread_id, text: cut(text) }),
  'run.created': run,
  'run.prompted': run,
  'run.stopped': ({ run_id, state, reason }) => ({ run_id, state, reason: cut(reason) }),
}

function cut(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  return value.length <= MOST_TEXT ? value : `${value.slice(0, MOST_TEXT - 1).toWellFormed()}…`
}

const present = (data: Data): Data =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined))

const shortened = (values: unknown): Data | undefined =>
  values === undefined
    ? undefined
    : Object.fromEntries(
        Object.entries(values as Data).map(([name, value]) => [name, cut(value) ?? value]),
      )
