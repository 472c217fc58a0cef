import { and, eq, isNull, type SQL } from 'drizzle-orm'
import type { Context, Scope } from '../../../../kernel/caller.ts'
import { missingScope } from '../../../../kernel/dispatch.ts'
import { fault } from '../../../../kernel/fault.ts'
import { forUpdate } from '../../../../store/columns.ts'
import { findProject } from '../../../boards/projects/model/index.ts'
import { findTeam } from '../../../identity/teams/model/index.ts'
import { channels } from './tables.ts'

export type Channel = typeof channels.$inferSelect

/** Whose channel it is: of a person, a board or a team. */
export type Owner = Pick<Channel, 'owner_id' | 'team_id' | 'project_id'>

type Seer = Pick<Context, 'tx' | 'caller'>

/** A channel sends data elsewhere, so only people have and manage channels. */
export function requirePerson({ caller }: Pick<Context, 'caller'>): number {
  if (caller.kind === 'person') return caller.actor_id
  throw fault.forbidden('Agents have no channels', 'The owner of the agent can create one')
}

/** Throws if the caller may not manage the channels of this board or team. */
export async function ownerOf(
  ctx: Seer,
  { project_id, team_id }: { project_id?: number; team_id?: number },
): Promise<Owner> {
  const owner_id = requirePerson(ctx)
  if (project_id !== undefined && team_id !== undefined)
    throw fault.invalid('team_id', 'conflict', 'Name a board or a team, not both')
  if (project_id !== undefined) return boardOwner(ctx, project_id)
  if (team_id !== undefined) return teamOwner(ctx, team_id)
  return { owner_id, team_id: null, project_id: null }
}

async function boardOwner(ctx: Seer, project_id: number): Promise<Owner> {
  const needs = requireScope(ctx, 'projects:manage')
  const project = await findProject({ ...ctx, needs }, project_id)
  return { owner_id: null, team_id: project.team_id, project_id }
}

async function teamOwner(ctx: Seer, team_id: number): Promise<Owner> {
  const needs = requireScope(ctx, 'teams:manage')
  const team = await findTeam({ ...ctx, needs }, team_id)
  return { owner_id: null, team_id: team.team_id, project_id: null }
}

function requireScope({ caller }: Seer, scope: Scope): Scope {
  if (caller.scopes.has(scope)) return scope
  throw missingScope(scope)
}

export const ofOwner = ({ owner_id, team_id, project_id }: Owner): SQL | undefined =>
  owner_id === null
    ? and(
        eq(channels.team_id, team_id!),
        project_id === null ? isNull(channels.project_id) : eq(channels.project_id, project_id),
      )
    : eq(channels.owner_id, owner_id)

/** Loads and locks a channel that the caller may manage. */
export async function findChannel(ctx: Seer, channel_id: number): Promise<Channel> {
  requirePerson(ctx)
  const [channel] = await forUpdate(
    ctx.tx.select().from(channels).where(eq(channels.channel_id, channel_id)),
  )
  if (!channel || !(await isVisible(ctx, channel))) throw channelNotFound(channel_id)
  if (channel.owner_id !== null) return channel
  const { project_id, team_id } = channel
  await ownerOf(ctx, project_id === null ? { team_id: team_id! } : { project_id })
  return channel
}

async function isVisible({ caller }: Seer, { owner_id, team_id }: Channel): Promise<boolean> {
  return owner_id === null ? caller.teams.has(team_id!) : owner_id === caller.actor_id
}

const channelNotFound = (channel_id: number) =>
  fault.notFound(
    'channel_id',
    `There is no channel ${channel_id} that you can manage`,
    channel_id,
    'List your channels: cork channels list',
  )
