import type { Caller, Tx } from '../../../../kernel/caller.ts'
import { findVisibleProject } from '../../../boards/projects/model/index.ts'
import { callerFor } from '../../../identity/callers/model/index.ts'
import type { Repository } from './store.ts'

/**
 * The person who linked a repository, limited to tasks of its board. Undefined if that person can
 * no longer see the board.
 */
export async function linkerOf(tx: Tx, repository: Repository): Promise<Caller | undefined> {
  const { created_by, project_id, repository_id } = repository
  const person = await callerFor(tx, created_by)
  const caller: Caller = {
    ...person,
    scopes: new Set(
      [...person.scopes].filter((scope) => scope === 'tasks:read' || scope === 'tasks:write'),
    ),
    projects: new Set([project_id]),
    credential: `repository:${repository_id}`,
  }
  return (await findVisibleProject({ tx, caller }, project_id)) && caller
}
