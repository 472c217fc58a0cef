import { and, asc, desc, eq, gt, inArray, isNull, lte, ne, or } from 'drizzle-orm'
import type { Server, Tx } from '../../../../kernel/caller.ts'
import type { EmailMessage } from '../../../../kernel/services.ts'
import { chooseLanguage, type Language, type Texts, textsOf } from '../../../../languages/index.ts'
import { callerFor } from '../../../identity/callers/model/index.ts'
import { actorsOf } from '../../../identity/people/model/index.ts'
import { onVisibleTask } from '../../../tasks/tasks/model/index.ts'
import { type Action, actionsOf } from '../../answers/model/index.ts'
import { type NotificationRow, toNotificationRows } from '../../inbox/model/index.ts'
import { type Kind, notifications } from '../../notifications/model/index.ts'
import { renderEmail } from './email.ts'
import { phrase, retryDelay, subjectOf } from './rules.ts'
import { type EmailSchedule, kindsOf, personOf } from './store.ts'
import { mailings } from './tables.ts'
import { stopToken, switchOff } from './unsubscribe.ts'

/** Longer than any email takes to send. After this the claiming process counts as dead. */
const CLAIM_MS = 120_000
const MAX_ITEMS = 50
const MAX_DUE = 100

/** Due and unclaimed, or claimed by a process that died. */
const isDue = (now: Date) =>
  and(
    ne(mailings.mode, 'off'),
    or(
      and(isNull(mailings.claimed_until), lte(mailings.due_at, now)),
      lte(mailings.claimed_until, now),
    ),
  )

/** The people with a due email, longest overdue first. */
export async function dueMail(tx: Tx, now: Date): Promise<number[]> {
  const rows = await tx
    .select({ actor_id: mailings.actor_id })
    .from(mailings)
    .where(isDue(now))
    .orderBy(asc(mailings.due_at))
    .limit(MAX_DUE)
  return rows.map(({ actor_id }) => actor_id)
}

/** Claims a due email for one of several servers. Later notifications make another email due. */
export async function claimMail(
  tx: Tx,
  actor_id: number,
  now: Date,
): Promise<EmailSchedule | undefined> {
  const [schedule] = await tx
    .update(mailings)
    .set({ due_at: null, claimed_until: new Date(now.getTime() + CLAIM_MS) })
    .where(and(eq(mailings.actor_id, actor_id), isDue(now)))
    .returning()
  return schedule
}

/** The notifications for one email, and its recipient. */
export interface EmailDigest {
  name: string
  address: string
  rows: NotificationRow[]
  hasMore: boolean
  language: Language
  /** How the notifications can be answered, by their ids. */
  actions: ReadonlyMap<number, readonly Action[]>
  mark: number
}

/**
 * Collects unread notifications of the wanted kinds about tasks the person can still see. Undefined
 * if there are none.
 */
export async function gatherMail(
  tx: Tx,
  server: Signer,
  mailing: EmailSchedule,
  now: Date,
): Promise<EmailDigest | undefined> {
  const { actor_id, mark, marked_at } = mailing
  const caller = await callerFor(tx, actor_id)
  const { notification_id, kind, created_at } = notifications
  const newest = await tx
    .select()
    .from(notifications)
    .where(
      and(
        eq(notifications.actor_id, actor_id),
        isNull(notifications.archived_at),
        isNull(notifications.read_at),
        inArray(kind, [...kindsOf(mailing)]),
        // Moving a task into an inbox again reuses its row, so its id may be older than the mark.
        or(gt(notification_id, mark), and(eq(kind, 'moved_to_inbox'), gt(created_at, marked_at))),
        onVisibleTask({ tx, caller }, notifications.task_id),
      ),
    )
    .orderBy(desc(notification_id))
    .limit(MAX_ITEMS + 1)
  if (!newest.length) return undefined
  const rows = newest.slice(0, MAX_ITEMS).reverse()
  const { language } = chooseLanguage(caller)
  const actions = new Map<number, readonly Action[]>()
  for (const row of rows)
    actions.set(
      row.notification_id,
      await actionsOf({ tx, server, texts: await textsOf(language), now }, row),
    )
  const [{ email: address }, actors] = [
    await personOf(tx, actor_id),
    await actorsOf(tx, [actor_id]),
  ]
  return {
    name: actors.get(actor_id)!.name,
    address,
    rows: await toNotificationRows(tx, rows),
    hasMore: newest.length > MAX_ITEMS,
    language,
    actions,
    mark: Math.max(mark, newest[0]!.notification_id),
  }
}

type Signer = Pick<Server, 'url' | 'sign'>

export async function writeMail(
  server: Signer,
  { actor_id, mode }: EmailSchedule,
  { name, address, rows, hasMore, language, actions }: EmailDigest,
): Promise<EmailMessage> {
  const texts = await textsOf(language)
  const { text } = texts
  const stopUrl = `${server.url}/mail/unsubscribe/${await stopToken(server, actor_id)}`
  const message = renderEmail({
    language,
    greeting: text('email.greeting_notifications', { name }),
    items: rows.map((row) => ({
      ...itemOf(server, texts, row),
      actions: actions.get(row.notification_id!),
    })),
    after: hasMore ? [text('email.rest_in_inbox')] : [],
    foot: text(mode === 'daily' ? 'email.foot_daily' : 'email.foot_now'),
    stop: { label: text('email.unsubscribe'), url: stopUrl },
  })
  const host = new URL(server.url).hostname
  return {
    to: { name, address },
    subject: subjectOf(texts, rows.map(withTask), hasMore),
    ...message,
    headers: {
      'List-Id': `Corkboard <notifications.${host}>`,
      'List-Unsubscribe': `<${stopUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}

/** Asserts that the task and the actor are present, which are optional in a NotificationRow. */
const withTask = ({ task, actor, kind, snippet = null, comment_id }: NotificationRow) => ({
  kind: kind as Kind,
  snippet,
  comment_id,
  task: task!,
  actor: actor!,
})

function itemOf({ url }: Signer, texts: Texts, row: NotificationRow) {
  const { task, snippet, comment_id } = withTask(row)
  const anchor = comment_id === undefined ? '' : `#comment-${comment_id}`
  return {
    title: `${task.ticket_number} ${task.title}`,
    url: `${url}/t/${task.ticket_number}${anchor}`,
    says: phrase(texts, withTask(row)),
    quote: snippet ?? undefined,
  }
}

const stillClaimed = ({ actor_id, claimed_until }: EmailSchedule) =>
  and(eq(mailings.actor_id, actor_id), eq(mailings.claimed_until, claimed_until!))

const UNCLAIMED = { claimed_until: null }

/** Releases the claim without an email, because there was nothing left to send. */
export const skipMail = (tx: Tx, mailing: EmailSchedule) =>
  tx.update(mailings).set(UNCLAIMED).where(stillClaimed(mailing))

/** Records a sent email. A crash between sending and this sends the same email again. */
export const mailSent = (
  tx: Tx,
  mailing: EmailSchedule,
  mark: number,
  gathered_at: Date,
  now: Date,
) =>
  tx
    .update(mailings)
    .set({
      ...UNCLAIMED,
      mark,
      marked_at: gathered_at,
      sent_at: now,
      attempts: 0,
      last_error: null,
    })
    .where(stillClaimed(mailing))

export const mailFailed = (tx: Tx, mailing: EmailSchedule, last_error: string, now: Date) => {
  const attempts = mailing.attempts + 1
  const due_at = new Date(now.getTime() + retryDelay(attempts))
  return tx
    .update(mailings)
    .set({ ...UNCLAIMED, attempts, due_at, last_error })
    .where(stillClaimed(mailing))
}

/** The address does not exist, so its emails are switched off until the person enables them again. */
export async function mailRefused(tx: Tx, mailing: EmailSchedule, error: string, now: Date) {
  const [row] = await tx.select().from(mailings).where(stillClaimed(mailing))
  if (row) await switchOff(tx, mailing.actor_id, now, `${error}. Email is now off`)
}
