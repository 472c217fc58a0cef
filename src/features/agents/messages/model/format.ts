import type { Tx } from '../../../../kernel/caller.ts'
import type { LoggedChange } from '../../../../store/log.ts'
import { actorsOf, asActor } from '../../../identity/people/model/index.ts'
import { type EventName, messageId } from './rules.ts'
import { MAX_TEXT, type Message } from './schema.ts'

export type { Message } from './schema.ts'

/** Formats changes as messages for one agent, the same for polling and webhook. */
export async function messagesOf(
  tx: Tx,
  actor_id: number,
  rows: readonly LoggedChange[],
): Promise<Message[]> {
  const actors = await actorsOf(
    tx,
    rows.map((change) => change.actor_id),
  )
  return rows.map((change) => ({
    id: messageId(actor_id, change),
    type: change.type as EventName,
    created_at: change.created_at.toISOString(),
    project_id: change.project_id,
    actor: asActor(actors.get(change.actor_id)!),
    data: dataOf(change),
  }))
}

type Data = Record<string, unknown>

/** Caches the data of a change that goes to many agents. */
const dataCache = new WeakMap<LoggedChange, Data>()

function dataOf(change: LoggedChange): Data {
  const cached = dataCache.get(change)
  if (cached) return cached
  const { type, task_id, data } = change
  const { ticket_number, title } = data
  const task = task_id === null ? {} : { task_id, ticket_number, title }
  const fields = EVENT_DATA[type as EventName](data)
  const result = withoutUndefined({ ...task, ...fields })
  dataCache.set(change, result)
  return result
}

const comment = ({ comment_id }: Data) => ({ comment_id })
const commentWithText = (data: Data) => ({ ...comment(data), text: truncate(data.snippet ?? '') })
const assigneeField = ({ actor }: Data) => ({ assignee: actor })
const run = ({ run_id, state, prompt, origin, comment_id }: Data) => ({
  run_id,
  state,
  origin,
  comment_id,
  prompt: truncate(prompt),
})

/** The fields of a change that messages contain. */
const EVENT_DATA: Readonly<Record<EventName, (data: Data) => Data>> = {
  'task.created': ({ section_id }) => ({ section_id }),
  'task.updated': ({ changed, before, after }) => ({
    changed,
    before: truncateValues(before),
    after: truncateValues(after),
  }),
  'task.assigned': assigneeField,
  'task.unassigned': assigneeField,
  'comment.created': (data) => ({
    ...commentWithText(data),
    reply_to_comment_id: data.reply_to_comment_id,
  }),
  'comment.mention': (data) => ({
    ...commentWithText(data),
    mentioned: data.actor,
    skills: data.skills,
  }),
  'comment.reaction': (data) => ({ ...comment(data), emoji: data.emoji, added: data.added }),
  'chat.message': ({ thread_id, text }) => ({ thread_id, text: truncate(text) }),
  'run.created': run,
  'run.prompted': run,
  'run.stopped': ({ run_id, state, reason }) => ({ run_id, state, reason: truncate(reason) }),
}

function truncate(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  return value.length <= MAX_TEXT ? value : `${value.slice(0, MAX_TEXT - 1).toWellFormed()}…`
}

const withoutUndefined = (data: Data): Data =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined))

const truncateValues = (values: unknown): Data | undefined =>
  values === undefined
    ? undefined
    : Object.fromEntries(
        Object.entries(values as Data).map(([name, value]) => [name, truncate(value) ?? value]),
      )
