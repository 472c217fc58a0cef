import type { Column } from '../../entities/board/data.ts'

/** The number of tasks in a column, and whether it exceeds the limit. */
export function Count({ column }: { column: Column }) {
  const { cards, total, wip_limit: limit } = column
  const isLess = cards.length < total
  if (limit === null)
    return <span className="count">{isLess ? `${cards.length}/${total}` : total}</span>
  const isOver = total > limit
  const words = isOver ? `${total - limit} over the limit of ${limit}` : `Limit: ${limit}`
  return (
    <span className={`count${isOver ? ' over' : ''}`} title={words}>
      {isLess && `${cards.length} of `}
      {total}/{limit}
      <span className="unseen">{isOver ? ', over the limit' : ', within the limit'}</span>
    </span>
  )
}
