import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Tx } from '../../../../kernel/caller.ts'
import { answers } from '../../../../store/tables.ts'
import { skills } from '../../../agents/skills/model/index.ts'
import { projectUses } from '../../../boards/projects/model/index.ts'
import { defaultViews, views, viewUses } from '../../../boards/views/model/index.ts'
import { chatMessages, chatThreads } from '../../../conversation/chat/model/index.ts'
import {
  channelDeliveries,
  channels,
  notificationSettings,
} from '../../../inbox/channels/model/index.ts'
import { mailings } from '../../../inbox/mail/model/index.ts'
import { myViews } from '../../../inbox/my_tasks/model/index.ts'
import { notifications } from '../../../inbox/notifications/model/index.ts'
import { sidebars } from '../../../inbox/sidebar/model/index.ts'
import { drafts } from '../../../tasks/drafts/model/index.ts'
import { calendarFeeds } from '../../../time/calendar/model/index.ts'
import { accountEmails } from '../../account_emails/model/index.ts'
import { credentials } from '../../credentials/model/index.ts'
import { authenticatorApps, passkeys, recoveryCodes } from '../../factors/model/index.ts'
import { deviceRequests, grants } from '../../grants/model/index.ts'
import { linkedIdentities } from '../../linked_identities/model/index.ts'
import { signIns } from '../../sign_ins/model/index.ts'

const BATCH_SIZE = 200

/** Whether the person has rows that are deleted in batches. */
export async function hasManyRows(tx: Tx, actor_id: number): Promise<boolean> {
  const [notification] = await someNotifications(tx, actor_id, 1)
  return notification !== undefined || (await threadsOf(tx, actor_id, 1)).length > 0
}

/** Deletes a batch of notifications or a chat. Returns the number of rows. */
export async function deleteSomeRows(tx: Tx, actor_id: number): Promise<number> {
  const ids = (await someNotifications(tx, actor_id, BATCH_SIZE)).map((row) => row.notification_id)
  if (ids.length) {
    await tx.delete(notifications).where(inArray(notifications.notification_id, ids))
    return ids.length
  }
  const [thread] = await threadsOf(tx, actor_id, 1)
  if (!thread) return 0
  const { thread_id } = thread
  const deleted = await tx
    .delete(chatMessages)
    .where(eq(chatMessages.thread_id, thread_id))
    .returning({ number: chatMessages.number })
  await tx.delete(chatThreads).where(eq(chatThreads.thread_id, thread_id))
  return deleted.length + 1
}

const someNotifications = (tx: Tx, actor_id: number, limit: number) =>
  tx
    .select({ notification_id: notifications.notification_id })
    .from(notifications)
    .where(eq(notifications.actor_id, actor_id))
    .limit(limit)

const threadsOf = (tx: Tx, actor_id: number, limit: number) =>
  tx
    .select({ thread_id: chatThreads.thread_id })
    .from(chatThreads)
    .where(eq(chatThreads.actor_id, actor_id))
    .limit(limit)

/** Tables with private rows of one person, each by the column that refers to the person. */
const PRIVATE: readonly PgColumn[] = [
  accountEmails.actor_id,
  answers.actor_id,
  authenticatorApps.actor_id,
  calendarFeeds.actor_id,
  defaultViews.actor_id,
  drafts.author_id,
  linkedIdentities.actor_id,
  mailings.actor_id,
  myViews.actor_id,
  notificationSettings.actor_id,
  passkeys.actor_id,
  projectUses.actor_id,
  recoveryCodes.actor_id,
  sidebars.actor_id,
  signIns.actor_id,
  viewUses.actor_id,
]

export async function erasePrivateRows(tx: Tx, actor_id: number): Promise<void> {
  for (const column of PRIVATE) await tx.delete(column.table).where(eq(column, actor_id))
  const ownSkill = and(eq(skills.actor_id, actor_id), isNull(skills.project_id))
  await tx.delete(skills).where(ownSkill)
  await erasePrivateViews(tx, actor_id)
  await eraseChannels(tx, actor_id)
}

async function eraseChannels(tx: Tx, actor_id: number): Promise<void> {
  const own = eq(channels.owner_id, actor_id)
  const ids = tx.select({ id: channels.channel_id }).from(channels).where(own)
  await tx.delete(channelDeliveries).where(inArray(channelDeliveries.channel_id, ids))
  await tx.delete(channels).where(own)
}

/** Views that others can see stay, as other texts do. */
async function erasePrivateViews(tx: Tx, actor_id: number): Promise<void> {
  const isPrivate = and(eq(views.owner_id, actor_id), eq(views.visibility, 'Private'))
  const rows = await tx.select({ id: views.saved_view_id }).from(views).where(isPrivate)
  const ids = rows.map(({ id }) => id)
  if (!ids.length) return
  await tx.delete(defaultViews).where(inArray(defaultViews.saved_view_id, ids))
  await tx.delete(viewUses).where(inArray(viewUses.saved_view_id, ids))
  await tx.delete(views).where(inArray(views.saved_view_id, ids))
}

/**
 * Empties the credentials of a person, which cannot be used afterwards. The rows stay, because the
 * audit log and the credentials that were created with them refer to their ids.
 */
export async function emptyCredentials(tx: Tx, actor_id: number): Promise<void> {
  const own = eq(credentials.actor_id, actor_id)
  const ids = tx.select({ id: credentials.credential_id }).from(credentials).where(own)
  await tx.delete(deviceRequests).where(inArray(deviceRequests.credential_id, ids))
  await tx
    .delete(grants)
    .where(or(eq(grants.person_id, actor_id), inArray(grants.credential_id, ids)))
  await tx.update(calendarFeeds).set({ title: '' }).where(eq(calendarFeeds.actor_id, actor_id))
  const hash = sql`${'erased:'} || ${credentials.credential_id}`
  await tx.update(credentials).set({ name: '', prefix: '', hash, sign_in_id: null }).where(own)
}
