import { eq } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { findVisibleProject } from '../../../boards/projects/model/index.ts'
import { people } from '../../../identity/people/model/index.ts'
import { requirePerson } from './access.ts'
import { type BoardLevel, type ChannelEvent, PERSONAL_EVENTS, type QuietHours } from './rules.ts'
import type { NotificationSettings, SettingsChanges } from './schema.ts'
import { releaseHeld } from './store.ts'
import { channels, notificationSettings } from './tables.ts'
import { vapidKeyOf } from './web-push.ts'

export interface Settings extends QuietHours {
  quiet_exceptions: boolean
  boards: Record<string, BoardLevel>
}

export const DEFAULT_SETTINGS: Settings = {
  quiet_from: null,
  quiet_to: null,
  quiet_exceptions: true,
  boards: {},
}

/** A person has at most so many boards with a level of their own. */
const MAX_BOARDS = 1000

export const publicKey = async (server: Context['server']) => (await vapidKeyOf(server)).publicKey

export async function showSettings(
  ctx: Pick<Context, 'tx' | 'caller'>,
  push_public_key: string,
): Promise<NotificationSettings> {
  const actor_id = requirePerson(ctx)
  const [{ time_zone }] = (await ctx.tx
    .select({ time_zone: people.time_zone })
    .from(people)
    .where(eq(people.actor_id, actor_id))) as [{ time_zone: string }]
  const { boards, ...quiet } = await settingsOf(ctx.tx, actor_id)
  return {
    ...quiet,
    time_zone,
    boards: await visibleBoards(ctx, boards),
    events: Object.entries(PERSONAL_EVENTS).map(([event, kinds]) => ({
      event: event as ChannelEvent,
      kinds: [...kinds],
    })),
    push_public_key,
  }
}

async function visibleBoards(ctx: Pick<Context, 'tx' | 'caller'>, boards: Settings['boards']) {
  const rows: NotificationSettings['boards'] = []
  for (const [id, level] of Object.entries(boards)) {
    const project_id = Number(id)
    if (await findVisibleProject(ctx, project_id)) rows.push({ project_id, level })
  }
  return rows
}

async function settingsOf(tx: Tx, actor_id: number): Promise<Settings> {
  const [row] = await tx
    .select()
    .from(notificationSettings)
    .where(eq(notificationSettings.actor_id, actor_id))
  if (!row) return DEFAULT_SETTINGS
  const { quiet_from, quiet_to, quiet_exceptions, boards } = row
  return { quiet_from, quiet_to, quiet_exceptions, boards }
}

export async function changeSettings(
  ctx: Context,
  { boards: levels = [], ...quiet }: SettingsChanges,
) {
  const { tx, now } = ctx
  const actor_id = requirePerson(ctx)
  const before = await settingsOf(tx, actor_id)
  const after = { ...before, ...quiet, boards: { ...before.boards } }
  if ((after.quiet_from === null) !== (after.quiet_to === null))
    throw fault.invalid(
      after.quiet_from === null ? 'quiet_from' : 'quiet_to',
      'required',
      'Quiet hours need quiet_from and quiet_to',
    )
  for (const [index, { project_id, level = null }] of levels.entries()) {
    await requireBoard(ctx, project_id, index)
    if (level === null) delete after.boards[project_id]
    else after.boards[project_id] = level
  }
  if (Object.keys(after.boards).length > MAX_BOARDS)
    throw fault.conflict(`At most ${MAX_BOARDS} boards can have a level of their own`)
  await tx
    .insert(notificationSettings)
    .values({ actor_id, ...after })
    .onConflictDoUpdate({ target: notificationSettings.actor_id, set: after })
  const own = await tx
    .select({ channel_id: channels.channel_id })
    .from(channels)
    .where(eq(channels.owner_id, actor_id))
  // What waits for the end of the former quiet hours is looked at again.
  if (Object.keys(quiet).length)
    await releaseHeld(
      tx,
      own.map(({ channel_id }) => channel_id),
      now,
    )
}

async function requireBoard(ctx: Context, project_id: number, index: number): Promise<void> {
  if (await findVisibleProject(ctx, project_id)) return
  throw fault.invalid(
    `boards.${index}.project_id`,
    'not_found',
    `There is no board ${project_id} that you can see`,
    project_id,
  )
}
