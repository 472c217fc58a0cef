import { Type as t } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { claimName, emitAgent, findAgent } from '../../../agents/agents/model/index.ts'
import { findVisibleProject } from '../../../boards/projects/model/index.ts'
import { shiftDueTimes } from '../../../tasks/assignees/model/index.ts'
import { AUTOMATIC, actors, parseLocale, people, pictureOf } from '../../people/model/index.ts'
import { lockTeam } from '../../teams/model/index.ts'
import { emitAvatarChange } from '../model/pictures.ts'
import { parseAvatarUrl, parseTimeZone } from '../model/rules.ts'
import { Changes, Profile } from '../model/schema.ts'
import { ownRow } from '../model/store.ts'
import { profileOf, shownAvatar } from './profile.ts'

export const update = operation({
  name: 'user_context.update_profile',
  summary: 'Update your profile; agents can change only display_name and avatar',
  needs: 'profile:write',
  on: {
    rest: 'PATCH /api/v1/user/profile',
    mcp: 'svc_user_context.update_profile',
    cli: { usage: 'profile update', example: '--time-zone Europe/Berlin --default-board HOM' },
    chat: true,
  },
  input: Changes,
  output: t.Object({ ...Profile.properties, changed: t.Array(t.String()) }),
  async run(input, ctx) {
    const changed = Object.keys(input)
    if (!changed.length)
      throw fault.invalid(
        '',
        'required',
        'No field to change',
        undefined,
        `Send at least one of ${Object.keys(Changes.properties).join(', ')}`,
      )
    if (ctx.caller.kind === 'agent') await updateAgentProfile(ctx, input)
    const { display_name, avatar, ...personal } = input
    await updateActor(ctx, { display_name, avatar })
    await updatePerson(ctx, personal)
    ctx.emit('profile.updated', {}, { fields: changed })
    return { ...(await profileOf(ctx)), changed }
  },
})

async function updateAgentProfile(ctx: Context, input: Changes): Promise<void> {
  const { display_name, avatar: _, ...personal } = input
  const field = Object.keys(personal)[0]
  if (field)
    throw fault.forbidden(
      `An agent has no ${field}; only display_name and avatar can be changed`,
      'The profile of its owner applies',
    )
  if (display_name === undefined) return
  const name = display_name.trim()
  const { team_id, actor_id, ...agent } = await findAgent(ctx, 'self')
  await lockTeam(ctx.tx, team_id)
  await claimName(ctx, 'display_name', { team_id, name, actor_id })
  if (name === agent.name) return
  const changed = { name: { before: agent.name, after: name } }
  emitAgent(ctx, 'updated', { ...agent, team_id, actor_id, name }, { changed })
}

async function updateActor(ctx: Context, input: Pick<Changes, 'display_name' | 'avatar'>) {
  const { display_name, avatar } = input
  const { actor } = await ownRow(ctx)
  // A program may send the profile back as it has read it, with the address of the picture.
  const isNew = avatar !== undefined && avatar !== shownAvatar(ctx, actor)
  const set = {
    ...(display_name !== undefined && { name: display_name.trim() }),
    ...(isNew && { avatar: avatar && parseAvatarUrl(avatar) }),
  }
  if (Object.keys(set).length)
    await ctx.tx.update(actors).set(set).where(eq(actors.actor_id, ctx.caller.actor_id))
  if (isNew && pictureOf(actor.avatar)) emitAvatarChange(ctx)
}

async function updatePerson(ctx: Context, input: Omit<Changes, 'display_name' | 'avatar'>) {
  const { time_zone, locale, default_board } = input
  const set = {
    ...(time_zone !== undefined && { time_zone: parseTimeZone(time_zone) }),
    ...(locale !== undefined && { locale: locale === AUTOMATIC ? locale : parseLocale(locale) }),
    ...(default_board !== undefined && { default_project_id: default_board }),
  }
  if (default_board && !(await findVisibleProject(ctx, default_board)))
    throw fault.invalid(
      'default_board',
      'not_found',
      `There is no board ${default_board} that you can see`,
      default_board,
      'List your boards: svc_projects list',
    )
  if (Object.keys(set).length)
    await ctx.tx.update(people).set(set).where(eq(people.actor_id, ctx.caller.actor_id))
  if (set.time_zone !== undefined) await shiftDueTimes(ctx, set.time_zone)
}
