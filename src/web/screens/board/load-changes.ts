import { cache } from '../../data/cache.ts'
import { callOperation } from '../../data/client.ts'
import {
  applyChanges,
  type Board,
  boardKey,
  type Card,
  currentBoard,
  idsOf,
} from '../../entities/board/data.ts'

/** Loads the changes of a board since the last read; returns true if it must be called again. */
export async function loadChanges(project_id: number) {
  const since = currentBoard(project_id)?.seq
  if (since === undefined) return false
  const mustReload = await applyChanges(project_id, () =>
    callOperation('projects.board', { project_id, since }),
  )
  if (!isConsistent(currentBoard(project_id)))
    await cache.invalidateQueries({ queryKey: boardKey(project_id) })
  return mustReload
}

/** A deleted column emits no change for each of its tasks, so they can be left over. */
const isConsistent = (board: Board | undefined) => {
  const columns = new Set(board?.sections.map(({ section_id }) => section_id))
  return board === undefined || board.cards.every(({ section_id }) => columns.has(section_id))
}

/** Loads the current state of these cards from the server. */
export async function loadCards(project_id: number, cards: readonly Card[]): Promise<Card[]> {
  if (currentBoard(project_id)) await loadChanges(project_id)
  else
    await cache.fetchQuery({
      queryKey: boardKey(project_id),
      queryFn: () => callOperation('projects.board', { project_id }),
    })
  const ids = idsOf(cards)
  return currentBoard(project_id)?.cards.filter(({ task_id }) => ids.has(task_id)) ?? []
}
