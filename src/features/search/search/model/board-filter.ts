import { fault } from '../../../../kernel/fault.ts'

/** The board of an input, which may be named by either field. */
export function boardFilter(project_id?: number, board_id?: number): { project_id?: number } {
  if (project_id !== undefined && board_id !== undefined && project_id !== board_id)
    throw fault.invalid(
      'board_id',
      'conflict',
      'board_id and project_id name different boards',
      board_id,
      'Both mean the board; send only one',
    )
  const board = project_id ?? board_id
  return board === undefined ? {} : { project_id: board }
}
