import { and, eq, isNull } from 'drizzle-orm'
import type { Tx, WriteContext } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { projectMembers } from '../../../boards/projects/model/index.ts'
import { sections } from '../../../boards/sections/model/index.ts'
import { callerFor } from '../../callers/model/index.ts'
import { withChanges } from '../../departures/model/index.ts'
import { actors, people } from '../../people/model/index.ts'
import { members } from '../../teams/model/index.ts'
import { endAccess } from './end-access.ts'
import { eraseCopies, FORMER_MEMBER } from './erase-copies.ts'
import { eraseLog, eraseNextOfLog, hasUncheckedLog } from './erase-log.ts'
import { deleteSomeRows, emptyCredentials, erasePrivateRows, hasManyRows } from './erase-rows.ts'
import { resolveUser } from './operator.ts'
import { lockedSoleTeam } from './owners.ts'
import type { AccountServices } from './services.ts'

/** An address of its own, because addresses are unique. No mail server accepts it. */
const erasedEmail = (actor_id: number) => `former-member-${actor_id}@erased.invalid`

/**
 * Ends all access of a person and erases what is known about them. What they wrote for others
 * stays, under the name "Former member". Rows that can be many are deleted before, in batches.
 */
export async function eraseAccount(tx: Tx, actor_id: number, now: Date): Promise<void> {
  const { teams } = await callerFor(tx, actor_id)
  const [row] = await tx
    .select({ name: actors.name, email: people.email })
    .from(people)
    .innerJoin(actors, eq(actors.actor_id, people.actor_id))
    .where(eq(people.actor_id, actor_id))
  // Neither the address nor the credential of the request is recorded: they are erased as well.
  await withChanges(tx, { actor_id, teams }, now, async (ctx) => {
    // Ended leases and credentials are recorded with names, so names are erased first.
    await anonymize(tx, actor_id, now)
    await emptyCredentials(tx, actor_id)
    await endAccess(ctx, actor_id)
    await leaveTeams(ctx, actor_id)
    await erasePrivateRows(tx, actor_id)
    await eraseCopies(tx, { ...row!, actor_id, erasedEmail: erasedEmail(actor_id) })
    await eraseLog(tx, actor_id)
    ctx.emit('person.erased', {}, { user_id: actor_id })
  })
}

async function leaveTeams({ tx, emit }: WriteContext, actor_id: number): Promise<void> {
  await tx.delete(projectMembers).where(eq(projectMembers.actor_id, actor_id))
  await tx.update(sections).set({ auto_assign: null }).where(eq(sections.auto_assign, actor_id))
  const left = await tx.delete(members).where(eq(members.actor_id, actor_id)).returning()
  for (const { team_id, role } of left) {
    emit('member.removed', { team_id }, { user_id: actor_id, role })
    // Lists show the names of people, so they are read again.
    emit('profile.updated', { team_id }, { user_id: actor_id })
  }
}

async function anonymize(tx: Tx, actor_id: number, now: Date): Promise<void> {
  const name = FORMER_MEMBER
  await tx.update(actors).set({ name, avatar: null }).where(eq(actors.actor_id, actor_id))
  const ofPerson = eq(people.actor_id, actor_id)
  const blank = { password_hash: null, time_zone: 'UTC', locale: 'en', default_project_id: null }
  await tx
    .update(people)
    .set({ ...blank, email: erasedEmail(actor_id) })
    .where(ofPerson)
  await tx
    .update(people)
    .set({ deactivated_at: now })
    .where(and(ofPerson, isNull(people.deactivated_at)))
}

/** Whether there is more to erase than one transaction should. */
export const hasStep = async (tx: Tx, actor_id: number): Promise<boolean> =>
  (await hasManyRows(tx, actor_id)) || (await hasUncheckedLog(tx, actor_id))

/** Erases a part of what can be much. Returns the number of rows. */
export const runStep = async (tx: Tx, actor_id: number): Promise<number> =>
  (await deleteSomeRows(tx, actor_id)) || (await eraseNextOfLog(tx, actor_id))

/** A team must have an owner, who can add others. */
export async function refuseSoleOwner(tx: Tx, actor_id: number): Promise<void> {
  const team = await lockedSoleTeam(tx, actor_id)
  if (team)
    throw fault.conflict(
      `The account is the only owner of the team ${team.name}`,
      { team_id: team.team_id },
      'Make somebody else an owner of the team first',
    )
}

/** Erases the account of a person, for the operator of the server. */
export async function eraseUser({ store, clock }: AccountServices, ref: string) {
  const { actor_id } = await store.read((tx) => resolveUser(tx, ref))
  while (await store.read((tx) => hasStep(tx, actor_id)))
    await store.write(async (tx) => {
      await refuseSoleOwner(tx, actor_id)
      await runStep(tx, actor_id)
    })
  return store.write(async (tx) => {
    await refuseSoleOwner(tx, actor_id)
    await eraseAccount(tx, actor_id, clock())
    return { user_id: actor_id }
  })
}
