import { eq, inArray } from 'drizzle-orm'
import type { WriteContext } from '../../../../kernel/caller.ts'
import { releaseAllOf } from '../../../agents/leases/model/index.ts'
import { cancelLinks } from '../../account_emails/model/index.ts'
import { credentials } from '../../credentials/model/index.ts'
import { revokeAllOf, revokeCredentials, stopAutomationOf } from '../../departures/model/index.ts'
import { grants } from '../../grants/model/index.ts'
import { members } from '../../teams/model/index.ts'
import { endSessions } from './sessions.ts'

/**
 * Ends everything by which a person has access: sessions, keys, tokens, grants, calendar feeds,
 * links in emails, their agents, and the leases of the person and of the agents.
 */
export async function endAccess(ctx: WriteContext, actor_id: number) {
  const { tx, now } = ctx
  const sessions = await endSessions(tx, actor_id, now)
  await cancelLinks(tx, actor_id, now)
  const ofPerson = eq(grants.person_id, actor_id)
  const granted = tx.select({ id: grants.credential_id }).from(grants).where(ofPerson)
  const ended = await revokeCredentials(ctx, inArray(credentials.credential_id, granted))
  const revoked = ended.length + (await revokeAllOf(ctx, actor_id))
  await stopAutomationOf(ctx, actor_id)
  const teams = await tx.select().from(members).where(eq(members.actor_id, actor_id))
  for (const { team_id } of teams) await releaseAllOf(ctx, { team_id, actor_id })
  return { sessions, revoked }
}
