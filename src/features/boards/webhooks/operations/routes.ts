import type { Context, Scope } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Both addresses of an operation: of a board, and of a team. */
export const routes = <M extends Method, P extends string = ''>(method: M, path: P = '' as P) =>
  [
    `${method} /api/v1/projects/:project_id/webhooks${path}`,
    `${method} /api/v1/teams/:team_id/webhooks${path}`,
  ] as const

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
