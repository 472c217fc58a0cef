import type { Server, Tx } from '../../../../kernel/caller.ts'
import { chooseLanguage, type Texts, textsOf } from '../../../../languages/index.ts'
import { callerFor } from '../../../identity/callers/model/index.ts'
import { actorsOf } from '../../../identity/people/model/index.ts'
import { policyOf } from '../../../identity/team_policy/model/index.ts'
import { tasksById } from '../../../tasks/tasks/model/index.ts'
import { type Action, actionsOf } from '../../answers/model/index.ts'
import { type NotificationRow, toNotificationRows } from '../../inbox/model/index.ts'
import { phrase, taskTitle } from '../../mail/model/index.ts'
import type { Kind } from '../../notifications/model/index.ts'
import type { Channel } from './access.ts'
import type { Claimed, Delivery } from './claims.ts'
import { isUrgent, type SharedEvent } from './rules.ts'
import { countUnread, notificationsById } from './unread.ts'

/** A notification, written for people, before a service's own format. */
export interface ChannelMessage {
  /** The same on each attempt. */
  id: string
  kind: Kind | SharedEvent | 'digest' | 'test'
  important: boolean
  title: string
  body: string
  url: string
  actions: readonly Action[]
  /** The unread notifications of the person; absent in a shared channel. */
  unread?: number
}

type Services = Pick<Server, 'url' | 'sign'>

interface Parts {
  tx: Tx
  server: Services
  now: Date
}

/** A digest lists at most this many lines. */
const MAX_LINES = 20

/** Writes a claimed message in the language of its readers. Undefined if nothing is left of it. */
export function writeMessage(parts: Parts, claimed: Claimed): Promise<ChannelMessage | undefined> {
  return claimed.channel.owner_id === null
    ? writeShared(parts, claimed)
    : writePersonal(parts, claimed, claimed.channel.owner_id)
}

const idOf = ({ channel_id }: Channel, rows: readonly Delivery[]) =>
  `msg_${channel_id}_${rows.at(-1)!.delivery_id}`

async function writePersonal(
  parts: Parts,
  { channel, rows: deliveries }: Claimed,
  owner_id: number,
): Promise<ChannelMessage | undefined> {
  const { tx, server } = parts
  const texts = await textsOf(chooseLanguage(await callerFor(tx, owner_id)).language)
  const found = await notificationsById(
    tx,
    deliveries.flatMap(({ notification_id }) => notification_id ?? []),
  )
  if (!found.length) return undefined
  const rows = await toNotificationRows(tx, found)
  const unread = await countUnread(tx, owner_id)
  const shared = { id: idOf(channel, deliveries), unread }
  if (rows.length === 1)
    return {
      ...shared,
      ...single(server, texts, rows[0]!),
      actions: await actionsOf({ ...parts, texts }, found[0]!),
    }
  const lines = rows.map((row) => `${taskTitle(withTask(row))}: ${phrase(texts, withTask(row))}`)
  const important = rows.some(({ kind }) => isUrgent(kind as Kind))
  return { ...shared, ...digest(texts, lines), url: `${server.url}/inbox`, important }
}

/** Asserts that the task and the actor are present, which are optional in a NotificationRow. */
const withTask = ({ task, actor, kind }: NotificationRow) => ({
  kind: kind as Kind,
  task: task!,
  actor: actor!,
})

function single(
  { url }: Services,
  texts: Texts,
  row: NotificationRow,
): Pick<ChannelMessage, 'kind' | 'important' | 'title' | 'body' | 'url'> {
  const { kind, task } = withTask(row)
  const anchor = row.comment_id === undefined ? '' : `#comment-${row.comment_id}`
  return {
    kind,
    important: row.important ?? false,
    title: phrase(texts, withTask(row)),
    body: [taskTitle({ task }), row.snippet ?? ''].join('\n').trim(),
    url: `${url}/t/${task.ticket_number}${anchor}`,
  }
}

function digest({ text }: Texts, lines: readonly string[]) {
  const rest = lines.length > MAX_LINES ? [text('email.rest_in_inbox')] : []
  return {
    kind: 'digest' as const,
    title: text('email.subject_of_several', { count: lines.length }),
    body: [...lines.slice(0, MAX_LINES), ...rest].join('\n'),
    actions: [],
  }
}

async function writeShared(
  { tx, server }: Parts,
  { channel, rows }: Claimed,
): Promise<ChannelMessage> {
  const { locale } = await policyOf(tx, channel.team_id!)
  const texts = await textsOf(chooseLanguage({ team_locale: locale ?? undefined }).language)
  const messages = await sharedMessages(tx, server, texts, rows)
  const id = idOf(channel, rows)
  if (messages.length === 1) return { ...messages[0]!, id }
  const board = channel.project_id === null ? '' : `/projects/${channel.project_id}`
  const lines = messages.map(({ title, body }) => `${body.split('\n')[0]}: ${title}`)
  const important = rows.some(({ urgent }) => urgent)
  return { ...digest(texts, lines), id, url: `${server.url}${board}`, important }
}

async function sharedMessages(tx: Tx, server: Services, texts: Texts, rows: readonly Delivery[]) {
  const changes = rows.map(({ change }) => change!)
  const [tasks, actors] = [
    await tasksById(
      tx,
      changes.map(({ task_id }) => task_id),
    ),
    await actorsOf(
      tx,
      changes.map(({ actor_id }) => actor_id),
    ),
  ]
  return changes.map(({ event, task_id, actor_id, snippet = '', column = '' }) => {
    const task = tasks.get(task_id)!
    const { name } = actors.get(actor_id)!
    return {
      kind: event,
      important: isUrgent(event),
      title: texts.text(`channels.${event}`, { name, column }),
      body: [taskTitle({ task }), snippet].join('\n').trim(),
      url: `${server.url}/t/${task.ticket_number}`,
      actions: [],
    }
  })
}

/** The message by which people try a channel. */
export async function testMessage(tx: Tx, server: Services, actor_id: number, id: string) {
  const { text } = await textsOf(chooseLanguage(await callerFor(tx, actor_id)).language)
  const message: ChannelMessage = {
    ...{ id, kind: 'test', important: false, url: server.url, actions: [] },
    title: text('channels.test_title'),
    body: text('channels.test_body'),
  }
  return message
}
