import type { Context, Scope } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'

export const ROUTE = '/api/v1/webhooks'

interface Input {
  team_id?: number | string | undefined
}

export const managesTeam = ({ team_id }: Input): Scope | undefined =>
  team_id === undefined ? undefined : 'teams:manage'
export const readsTeam = ({ team_id }: Input): Scope | undefined =>
  team_id === undefined ? undefined : 'teams:read'

/** What is sent depends on the access of the creator, and agents have webhooks of their own. */
export function peopleOnly({ caller }: Context): void {
  if (caller.kind === 'agent')
    throw fault.forbidden(
      'Only people can configure webhooks of boards and teams',
      'Agents have their own webhook: PUT /api/v1/agents/self/webhook',
    )
}
