import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import type { WriteContext } from '../../../../kernel/caller.ts'
import { agentsOwnedBy } from '../../../agents/agents/model/index.ts'
import { releaseAllOf } from '../../../agents/leases/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import { asEnded, timeEntries } from '../../../time/time/model/index.ts'
import { cancelLinks } from '../../account_emails/model/index.ts'
import { credentials } from '../../credentials/model/index.ts'
import { revokeAllOf, revokeCredentials, stopAutomationOf } from '../../departures/model/index.ts'
import { grants } from '../../grants/model/index.ts'
import { members } from '../../teams/model/index.ts'
import { endSessions } from './sessions.ts'

/**
 * Ends everything by which a person has access: sessions, keys, tokens, grants, calendar feeds,
 * links in emails, their agents, timers, and the leases of the person and of the agents.
 */
export async function endAccess(ctx: WriteContext, actor_id: number) {
  const { tx, now } = ctx
  const sessions = await endSessions(tx, actor_id, now)
  await cancelLinks(tx, actor_id, now)
  const revoked = (await revokeOthers(ctx, actor_id)) + (await revokeAllOf(ctx, actor_id))
  await stopAutomationOf(ctx, actor_id)
  const teams = await tx.select().from(members).where(eq(members.actor_id, actor_id))
  for (const { team_id } of teams) await releaseAllOf(ctx, { team_id, actor_id })
  await stopTimers(ctx, actor_id)
  return { sessions, revoked }
}

/** Revokes what the person allowed OAuth clients, and the tokens of their agents, by anybody. */
async function revokeOthers(ctx: WriteContext, actor_id: number): Promise<number> {
  const { credential_id, actor_id: holder } = credentials
  const ofPerson = eq(grants.person_id, actor_id)
  const granted = ctx.tx.select({ id: grants.credential_id }).from(grants).where(ofPerson)
  const owned = (await agentsOwnedBy(ctx.tx, actor_id)).map((agent) => agent.actor_id)
  const condition = or(inArray(credential_id, granted), inArray(holder, owned))
  return (await revokeCredentials(ctx, condition)).length
}

async function stopTimers({ tx, now, emit }: WriteContext, actor_id: number): Promise<void> {
  const isOpen = and(eq(timeEntries.actor_id, actor_id), isNull(timeEntries.ended_at))
  const rows = await tx
    .select({ entry: timeEntries, task: tasks })
    .from(timeEntries)
    .innerJoin(tasks, eq(tasks.task_id, timeEntries.task_id))
    .where(isOpen)
  for (const { entry, task } of rows) {
    const { entry_id } = entry
    const ended = asEnded(entry, now)
    await tx
      .update(timeEntries)
      .set({ ...ended, running_since: null, paused_at: null })
      .where(eq(timeEntries.entry_id, entry_id))
    const { team_id, project_id, task_id, ticket_number } = task
    const data = { ticket_number, entry_id, seconds: ended.seconds }
    emit('time.stopped', { team_id, project_id, task_id }, data)
  }
}
