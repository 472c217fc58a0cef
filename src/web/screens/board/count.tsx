import type { Column } from '../../entities/board/data.ts'
import { t } from '../../messages/t.ts'

/** The number of tasks in a column, and whether it exceeds the limit. */
export function Count({ column }: { column: Column }) {
  const { cards, total, wip_limit: limit } = column
  const isLess = cards.length < total
  if (limit === null)
    return <span className="count">{isLess ? `${cards.length}/${total}` : total}</span>
  const isOver = total > limit
  const text = isOver
    ? t('board.value_over_the_limit_of_limit', { value: total - limit, limit })
    : t('board.limit_limit', { limit })
  return (
    <span className={`count${isOver ? ' over' : ''}`} title={text}>
      {isLess && t('board.count_of', { count: cards.length })}
      {total}/{limit}
      <span className="unseen">
        {isOver ? t('board.over_the_limit') : t('board.within_the_limit')}
      </span>
    </span>
  )
}
