import { Type as t } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import {
  changeRestrictions,
  costOf,
  lockAgents,
  restrictionsInput,
  restrictionsOutput,
  showRestrictions,
} from '../../../agents/agents/model/index.ts'
import { releaseAgentsOn } from '../../../agents/leases/model/index.ts'
import { ProjectId } from '../model/schema.ts'
import { findProject, type Project, placeOf } from '../model/store.ts'
import { projects } from '../model/tables.ts'
import { lockedProject } from './guidance.ts'

const ROUTE = '/api/v1/projects/:project_id/limits'

const limits = { project_id: ProjectId, ...restrictionsOutput }

export const getLimits = operation({
  name: 'projects.get_limits',
  summary: 'Monthly budget of the agents on a board, its use, and whether they are paused',
  needs: 'projects:read',
  dependsOn: ['project', 'run'],
  on: {
    rest: `GET ${ROUTE}`,
    cli: { usage: 'projects limits <project_id>', example: 'HOM' },
  },
  input: t.Object({ project_id: ProjectId }),
  output: t.Object(limits, { omits: { project_id: 'the call names it' } }),
  run: async ({ project_id }, ctx) => limitsOf(ctx, await findProject(ctx, project_id)),
})

export const setLimits = operation({
  name: 'projects.set_limits',
  summary: 'Set the monthly budget of the agents on a board, or pause them; people only',
  needs: 'projects:manage',
  on: {
    rest: `PATCH ${ROUTE}`,
    cli: {
      usage: 'projects set-limits <project_id>',
      example: 'HOM --budget-usd 50',
    },
  },
  input: t.Object({ project_id: ProjectId, ...restrictionsInput }),
  output: t.Object({ ...limits, changed: t.Array(t.String()) }),
  async run({ project_id, ...input }, ctx) {
    const before = await lockedProject(ctx, project_id)
    refuseAgents(ctx)
    // A claim locks its agent too, so it is either finished and released here, or refused.
    await lockAgents(ctx.tx, before.team_id)
    const { set, changed } = changeRestrictions(ctx, before, input)
    const after = { ...before, ...set }
    const names = Object.keys(changed)
    if (names.length) {
      const row = { ...set, updated_at: ctx.now }
      await ctx.tx.update(projects).set(row).where(eq(projects.project_id, project_id))
      ctx.emit('project.limits_changed', placeOf(after), { title: after.title, changed })
    }
    if (after.paused_at && !before.paused_at) await releaseAgentsOn(ctx, after)
    return { ...(await limitsOf(ctx, after)), changed: names }
  },
})

/** An agent with all scopes could otherwise raise its own budget, or resume itself. */
function refuseAgents({ caller }: Context): void {
  if (caller.kind === 'agent')
    throw fault.forbidden(
      'Only people change the budget of a board and pause its agents',
      'Ask a person who manages the board',
    )
}

async function limitsOf({ tx, now }: Context, project: Project) {
  const { team_id, project_id } = project
  const used = await costOf(tx, 'board', { team_id, id: project_id }, now)
  const [shown] = await showRestrictions(tx, [project], [used])
  return { project_id, ...shown! }
}
