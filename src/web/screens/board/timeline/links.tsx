import { useQueries } from '@tanstack/react-query'
import { queryKeyOf } from '../../../data/cache.ts'
import { callOperation, type Output } from '../../../data/client.ts'
import type { Row } from './rows.ts'
import type { Scale } from './scale.ts'

/** The most tasks whose relations are loaded at once. */
const MAX_QUERIES = 40

type Task = Extract<Row, { is: 'task' }>

interface Link {
  from: number
  to: number
}

/** The links from blocking rows to visible blocked rows. */
export function useLinks(rows: readonly Row[], visible: readonly number[]): Link[] {
  const blockedRows = visible
    .filter((at) => {
      const row = rows[at]
      return row?.is === 'task' && row.card.blocked && row.card.task_id > 0
    })
    .slice(0, MAX_QUERIES)
  const inputs = blockedRows.map((at) => ({
    ...{ task_id: (rows[at] as Task).card.task_id, relation_type: 'BlockedBy' as const },
    limit: 50,
  }))
  const results = useQueries({
    queries: inputs.map((input) => ({
      queryKey: queryKeyOf('relations.list', input),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        callOperation('relations.list', input, { signal }),
    })),
  })
  return blockedRows.flatMap((to, index) => {
    const relations = results[index]?.data as Output<'relations.list'> | undefined
    return (relations?.items ?? []).flatMap(({ task_id, done }) => {
      const from = rows.findIndex((row) => row.is === 'task' && row.card.task_id === task_id)
      return from < 0 || done ? [] : { from, to }
    })
  })
}

interface Props {
  rows: readonly Row[]
  links: readonly Link[]
  scale: Scale
  height: number
}

const STUB_PX = 10

/** Lines from the end of the blocking task to the start of the blocked one. */
export function Links({ rows, links, scale, height }: Props) {
  const paths = links.flatMap(({ from, to }) => {
    const [blocker, blocked] = [rows[from] as Task, rows[to] as Task]
    if (!blocker.days || !blocked.days) return []
    const [x, y] = [scale.x(blocker.days.to) + scale.width, (from + 0.5) * height]
    const [toX, toY] = [scale.x(blocked.days.from), (to + 0.5) * height]
    const middleY = (y + toY) / 2
    const path =
      toX > x + 2 * STUB_PX
        ? `M${x} ${y}h${STUB_PX}V${toY}H${toX}`
        : `M${x} ${y}h${STUB_PX}V${middleY}H${toX - STUB_PX}V${toY}H${toX}`
    return {
      key: `${blocker.key} ${blocked.key}`,
      path,
      isLate: blocker.days.to >= blocked.days.from,
      toX,
      toY,
    }
  })
  if (!paths.length) return null
  return (
    <svg className="links" width={scale.total} height={rows.length * height} aria-hidden="true">
      {paths.map(({ key, path, isLate, toX, toY }) => (
        <g key={key} className={isLate ? 'late' : ''}>
          <path d={path} />
          <path className="head" d={`M${toX} ${toY}l-5 -3.5v7z`} />
        </g>
      ))}
    </svg>
  )
}
