import { and, asc, desc, eq, gt, inArray, isNull, lte, ne, or } from 'drizzle-orm'
import type { Server, Tx } from '../../kernel/caller.ts'
import type { Letter } from '../../kernel/outside.ts'
import { callerFor } from '../callers/index.ts'
import { type NotificationRow, shownNotifications } from '../inbox/index.ts'
import { notifications } from '../notifications/index.ts'
import { actorsOf } from '../people/index.ts'
import { aboutSeenTask } from '../tasks/index.ts'
import { letterOf } from './letter.ts'
import { phrase, spacing, subjectOf } from './rules.ts'
import { stopToken, switchOff } from './stop.ts'
import { kindsOf, type Mailing, personOf } from './store.ts'
import { mailings } from './tables.ts'

/** Longer than any letter takes: by then whoever was at it is gone. */
const CLAIM_MS = 120_000
const MOST_TOLD = 50
const LOOKED = 100

/** Nobody is at it, and its time has come; or whoever was at it is gone. */
const isDue = (now: Date) =>
  and(
    ne(mailings.mode, 'off'),
    or(
      and(isNull(mailings.claimed_until), lte(mailings.due_at, now)),
      lte(mailings.claimed_until, now),
    ),
  )

/** To whom a letter is due, the longest first. */
export async function dueMail(tx: Tx, now: Date): Promise<number[]> {
  const rows = await tx
    .select({ actor_id: mailings.actor_id })
    .from(mailings)
    .where(isDue(now))
    .orderBy(asc(mailings.due_at))
    .limit(LOOKED)
  return rows.map(({ actor_id }) => actor_id)
}

/** Only one of several servers gets it. What happens from now on makes another letter due. */
export async function claimMail(tx: Tx, actor_id: number, now: Date): Promise<Mailing | undefined> {
  const [claimed] = await tx
    .update(mailings)
    .set({ due_at: null, claimed_until: new Date(now.getTime() + CLAIM_MS) })
    .where(and(eq(mailings.actor_id, actor_id), isDue(now)))
    .returning()
  return claimed
}

/** What is worth a letter at this moment. */
export interface Gathered {
  name: string
  address: string
  rows: NotificationRow[]
  isMore: boolean
  mark: number
}

/** Unread, wanted, and about what the person can still see; nothing where nothing is left. */
export async function gatherMail(tx: Tx, mailing: Mailing): Promise<Gathered | undefined> {
  const { actor_id, mark, marked_at } = mailing
  const caller = await callerFor(tx, actor_id)
  const { notification_id, kind, created_at } = notifications
  const found = await tx
    .select()
    .from(notifications)
    .where(
      and(
        eq(notifications.actor_id, actor_id),
        isNull(notifications.archived_at),
        isNull(notifications.read_at),
        inArray(kind, [...kindsOf(mailing)]),
        // A task put into an inbox again keeps its row there.
        or(gt(notification_id, mark), and(eq(kind, 'moved_to_inbox'), gt(created_at, marked_at))),
        aboutSeenTask({ tx, caller }, notifications.task_id),
      ),
    )
    .orderBy(desc(notification_id))
    .limit(MOST_TOLD + 1)
  if (!found.length) return undefined
  const rows = found.slice(0, MOST_TOLD).reverse()
  const [{ email: address }, actors] = [
    await personOf(tx, actor_id),
    await actorsOf(tx, [actor_id]),
  ]
  return {
    ...{ name: actors.get(actor_id)!.name, address, rows: await shownNotifications(tx, rows) },
    isMore: found.length > MOST_TOLD,
    mark: Math.max(mark, found[0]!.notification_id),
  }
}

type Here = Pick<Server, 'url' | 'sign'>

export async function writeMail(
  server: Here,
  { actor_id, mode }: Mailing,
  { name, address, rows, isMore }: Gathered,
): Promise<Letter> {
  const stop = `${server.url}/mail/unsubscribe/${await stopToken(server, actor_id)}`
  const message = letterOf({
    greeting: `Hello ${name}, this waits for you on Corkboard:`,
    items: rows.map((row) => itemOf(server, row)),
    after: isMore ? ['There is more in your inbox.'] : [],
    foot: `You asked for this mail ${mode === 'daily' ? 'once a day' : 'when something happens'}; what you have read in your inbox by then is left out.`,
    stop: { label: 'Stop these mails', url: stop },
  })
  const host = new URL(server.url).hostname
  return {
    to: { name, address },
    subject: subjectOf(rows.map(told), isMore),
    ...message,
    headers: {
      'List-Id': `Corkboard <notifications.${host}>`,
      'List-Unsubscribe': `<${stop}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}

/** With composition alone these fields are not there. */
const told = ({ task, actor, kind, snippet = null, comment_id }: NotificationRow) => ({
  ...{ kind, snippet, comment_id, task: task!, actor: actor! },
})

function itemOf({ url }: Here, row: NotificationRow) {
  const { task, snippet, comment_id } = told(row)
  const place = comment_id === undefined ? '' : `#comment-${comment_id}`
  return {
    title: `${task.ticket_number} ${task.title}`,
    url: `${url}/t/${task.ticket_number}${place}`,
    says: phrase(told(row)),
    quote: snippet ?? undefined,
  }
}

const own = ({ actor_id, claimed_until }: Mailing) =>
  and(eq(mailings.actor_id, actor_id), eq(mailings.claimed_until, claimed_until!))

const FREE = { claimed_until: null }

/** There was nothing to tell any more. */
export const passMail = (tx: Tx, mailing: Mailing) =>
  tx.update(mailings).set(FREE).where(own(mailing))

/** A crash between the server's yes and this sends the same letter once more. */
export const mailSent = (tx: Tx, mailing: Mailing, mark: number, gathered_at: Date, now: Date) =>
  tx
    .update(mailings)
    .set({ ...FREE, mark, marked_at: gathered_at, sent_at: now, attempts: 0, last_error: null })
    .where(own(mailing))

export const mailFailed = (tx: Tx, mailing: Mailing, last_error: string, now: Date) => {
  const attempts = mailing.attempts + 1
  const due_at = new Date(now.getTime() + spacing(attempts))
  return tx
    .update(mailings)
    .set({ ...FREE, attempts, due_at, last_error })
    .where(own(mailing))
}

/** Nobody is there under that address, so nothing more is sent to it until somebody says so. */
export async function mailRefused(tx: Tx, mailing: Mailing, error: string, now: Date) {
  const [still] = await tx.select().from(mailings).where(own(mailing))
  if (still) await switchOff(tx, mailing.actor_id, now, `${error}. Nothing more is sent there`)
}
