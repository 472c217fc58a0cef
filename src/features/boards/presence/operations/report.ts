import { type Static, Type as t } from '@sinclair/typebox'
import { operation } from '../../../../kernel/operation.ts'
import { Actor } from '../../../identity/people/model/index.ts'
import { TaskId } from '../../../tasks/tasks/model/index.ts'
import { findProject, ProjectId } from '../../projects/model/index.ts'

/** An editor that has not reported for this long is gone. */
const EXPIRES_MS = 30_000
const MAX_PRESENT = 200
const MAX_NUMBER = 2_147_483_647

const where = {
  task_id: t.Optional({ ...TaskId, description: 'The task that is open' }),
  page_id: t.Optional(
    t.Integer({ minimum: 1, maximum: MAX_NUMBER, description: 'The page that is open' }),
  ),
  is_editing: t.Optional(t.Boolean({ description: 'Whether its text is being edited' })),
  cursor: t.Optional(
    t.Object(
      {
        number: t.Integer({ minimum: 0, maximum: MAX_NUMBER }),
        anchor: t.Integer({ minimum: 0, maximum: MAX_NUMBER }),
        head: t.Integer({ minimum: 0, maximum: MAX_NUMBER }),
      },
      { additionalProperties: false, description: 'The selection, in the text of that number' },
    ),
  ),
}
const ClientId = t.String({ minLength: 1, maxLength: 50, description: 'Identifies the tab' })

const Present = t.Object({ client_id: ClientId, actor: Actor, ...where })
type Present = Static<typeof Present>

export const report = operation({
  name: 'presence.report',
  summary: 'Report where you are on a board, and get who else is there',
  needs: 'projects:read',
  dependsOn: [],
  uncached: true,
  on: { rest: 'POST /api/v1/projects/:project_id/presence' },
  input: t.Object({
    project_id: ProjectId,
    client_id: ClientId,
    ...where,
    is_leaving: t.Optional(t.Boolean({ description: 'Whether the tab closes' })),
  }),
  output: t.Object({ present: t.Array(Present) }),
  async run({ project_id: ref, is_leaving = false, ...place }, ctx) {
    const { project_id } = await findProject(ctx, ref)
    const { kind, actor_id, agent_id, name } = ctx.caller
    const actor: Actor =
      kind === 'agent' ? { kind, agent_id: agent_id!, name } : { kind, user_id: actor_id, name }
    const key = `presence ${project_id} ${actor_id} ${place.client_id}`
    const { signals } = ctx.server
    signals.publish(
      { type: 'presence', project_id, data: { ...place, actor, is_leaving } },
      { key, ms: is_leaving ? 0 : EXPIRES_MS },
    )
    const present = signals.retained(project_id).slice(-MAX_PRESENT)
    return { present: present.map(({ data }) => withoutLeaving(data)) }
  },
})

function withoutLeaving({ is_leaving: _, ...present }: Record<string, unknown>): Present {
  return present as Present
}
