import { CommandError, UsageError } from '../command.ts'
import { findBoardId, resolveNames, restSource } from '../resolve-names.ts'
import type { ImportContext } from './context.ts'

export interface Target {
  team_id: number
  /** The board that all tasks come to. */
  project_id?: number
}

/** The team or board that is named. Without a team, it is the only one of the person. */
export async function targetOf({ client, catalog, values }: ImportContext): Promise<Target> {
  const { team, project } = values
  const names = restSource(client, catalog)
  if (project === undefined) {
    const typed = team === undefined ? {} : { team_id: team }
    const op = catalog.find(({ name }) => name === 'imports.preview')!
    const { team_id } = await resolveNames(op, typed, names)
    return { team_id: Number(team_id) }
  }
  if (team !== undefined) throw new UsageError('--project names a board, so leave out --team')
  const project_id = Number(await findBoardId(project, names))
  const boards = await names.list('projects.list', {})
  const board = boards.find((one) => one.project_id === project_id)
  if (board) return { team_id: Number(board.team_id), project_id }
  throw new CommandError(`There is no active board ${project_id} that you can see`)
}
