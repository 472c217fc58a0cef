import { and, eq, inArray, like } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { Fault } from '../../../../kernel/fault.ts'
import {
  agents,
  emitAgent,
  findAgent,
  lockManagedAgent,
} from '../../../agents/agents/model/index.ts'
import {
  actors,
  PICTURE_PATTERN,
  type Picture,
  pictureOf,
  referenceTo,
  versionOf,
} from '../../people/model/index.ts'
import { members } from '../../teams/model/index.ts'

/** What an address calls the caller. */
export const ME = 'me'

const MAX_AVATARS = 10_000

/** The pictures of everyone in the caller's teams. */
export async function avatarsOfTeams({ tx, caller }: Context) {
  const team_ids = [...caller.teams.keys()]
  const columns = { actor_id: actors.actor_id, agent_id: actors.agent_id, avatar: actors.avatar }
  const isUploaded = like(actors.avatar, PICTURE_PATTERN)
  const people = await tx
    .selectDistinct(columns)
    .from(members)
    .innerJoin(actors, eq(actors.actor_id, members.actor_id))
    .where(and(inArray(members.team_id, team_ids), isUploaded))
    .limit(MAX_AVATARS)
  const ofAgents = await tx
    .select(columns)
    .from(agents)
    .innerJoin(actors, eq(actors.actor_id, agents.actor_id))
    .where(and(inArray(agents.team_id, team_ids), isUploaded))
    .limit(MAX_AVATARS)
  return [...people, ...ofAgents].map(({ actor_id, agent_id, avatar }) => ({
    ...(agent_id === null ? { user_id: actor_id } : { agent_id }),
    version: versionOf(pictureOf(avatar)!),
  }))
}

/** Finds a picture of somebody in a team of the caller. */
export async function findPicture(ctx: Context, ref: string, version: string): Promise<Picture> {
  const { tx } = ctx
  const actor_id = await actorInTeams(ctx, ref)
  const [actor] = await tx
    .select({ avatar: actors.avatar })
    .from(actors)
    .where(eq(actors.actor_id, actor_id))
  const picture = pictureOf(actor?.avatar ?? null)
  if (picture && versionOf(picture) === version) return picture
  throw noPicture(ref)
}

async function actorInTeams(ctx: Context, ref: string): Promise<number> {
  const { caller, tx } = ctx
  if (!/^\d{1,9}$/.test(ref)) return (await findAgent(ctx, ref)).actor_id
  const actor_id = Number(ref)
  if (actor_id === caller.actor_id) return actor_id
  const [member] = await tx
    .select({ actor_id: members.actor_id })
    .from(members)
    .where(and(eq(members.actor_id, actor_id), inArray(members.team_id, [...caller.teams.keys()])))
    .limit(1)
  if (!member) throw noPicture(ref)
  return actor_id
}

const noPicture = (ref: string) =>
  new Fault('not_found', `There is no such picture of ${ref} in your teams`)

/** Sets or removes the picture of the caller, or of an agent that the caller manages. */
export async function setPicture(ctx: Context, ref: string, picture: Picture | null) {
  const { tx, caller } = ctx
  const avatar = picture && referenceTo(picture)
  const set = (actor_id: number) =>
    tx.update(actors).set({ avatar }).where(eq(actors.actor_id, actor_id))
  const changed = { actor: ref, version: picture && versionOf(picture) }
  if (ref !== ME) {
    const agent = await lockManagedAgent(ctx, ref)
    await set(agent.actor_id)
    emitAgent(ctx, 'updated', agent, { changed: { avatar: true } })
    return changed
  }
  await set(caller.actor_id)
  emitAvatarChange(ctx)
  return changed
}

/** Everyone in the caller's teams sees the avatar. */
export function emitAvatarChange(ctx: Context): void {
  const { actor_id, agent_id, teams } = ctx.caller
  const subject = agent_id ? { agent_id } : { user_id: actor_id }
  for (const team_id of teams.keys())
    ctx.emit('profile.updated', { team_id }, { ...subject, fields: ['avatar'] })
}
