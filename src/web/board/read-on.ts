import { cache } from '../data/cache.ts'
import { ask } from '../data/client.ts'
import { type Board, boardNow, type Card, follow, idsOf, query } from './data.ts'

/** Reads what changed on a board since it was read; true where some of it was read too early. */
export async function readOn(project_id: number) {
  const since = boardNow(project_id)?.seq
  if (since === undefined) return false
  const isEarly = await follow(project_id, () => ask('projects.board', { project_id, since }))
  if (!isWhole(boardNow(project_id))) await cache.invalidateQueries({ queryKey: query(project_id) })
  return isEarly
}

/** Nobody tells of the tasks of a column that was deleted one by one. */
const isWhole = (board: Board | undefined) => {
  const columns = new Set(board?.sections.map(({ section_id }) => section_id))
  return board === undefined || board.cards.every(({ section_id }) => columns.has(section_id))
}

/** What a board holds of these cards, asked of the server now. */
export async function readCards(project_id: number, cards: readonly Card[]): Promise<Card[]> {
  if (boardNow(project_id)) await readOn(project_id)
  else
    await cache.fetchQuery({
      queryKey: query(project_id),
      queryFn: () => ask('projects.board', { project_id }),
    })
  const ids = idsOf(cards)
  return boardNow(project_id)?.cards.filter(({ task_id }) => ids.has(task_id)) ?? []
}
