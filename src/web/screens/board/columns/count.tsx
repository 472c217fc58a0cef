import type { Column } from '../../../entities/board/data.ts'
import { Icon } from '../../../kit/icon.tsx'
import { t } from '../../../messages/t.ts'

type Counted = Pick<Column, 'total' | 'wip_limit'>

export const isOverLimit = ({ total, wip_limit }: Counted) =>
  wip_limit !== null && total > wip_limit

/** The number of tasks in a column, and whether it has reached or exceeds the limit. */
export function Count({ column }: { column: Column }) {
  const { cards, total, wip_limit: limit } = column
  const isLess = cards.length < total
  if (limit === null)
    return <span className="count">{isLess ? `${cards.length}/${total}` : total}</span>
  const state = isOverLimit(column) ? 'over' : total === limit ? 'full' : 'within'
  const [title, spoken] = limitTexts(state, total, limit)
  return (
    <span className={`count ${state}`} title={title}>
      {state === 'over' && <Icon name="alert" />}
      {isLess && t('board.count_of', { count: cards.length })}
      {total}/{limit}
      <span className="unseen">{spoken}</span>
    </span>
  )
}

function limitTexts(state: 'over' | 'full' | 'within', total: number, limit: number) {
  if (state === 'over')
    return [
      t('board.value_over_the_limit_of_limit', { value: total - limit, limit }),
      t('board.over_the_limit'),
    ]
  if (state === 'full')
    return [t('board.at_the_limit_of_limit', { limit }), t('board.at_the_limit')]
  return [t('board.limit_limit', { limit }), t('board.within_the_limit')]
}
