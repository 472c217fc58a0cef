import { useQueries } from '@tanstack/react-query'
import { keyOf } from '../../data/cache.ts'
import { ask, type Output } from '../../data/client.ts'
import type { Row } from './rows.ts'
import type { Scale } from './scale.ts'

/** More than these are not asked for at once. */
const MOST = 40

type Task = Extract<Row, { is: 'task' }>

interface Link {
  from: number
  to: number
}

/** Which rows wait for which others, of those that can be seen. */
export function useLinks(rows: readonly Row[], seen: readonly number[]): Link[] {
  const waiting = seen
    .filter((at) => {
      const row = rows[at]
      return row?.is === 'task' && row.card.blocked && row.card.task_id > 0
    })
    .slice(0, MOST)
  const asked = waiting.map((at) => ({
    ...{ task_id: (rows[at] as Task).card.task_id, relation_type: 'BlockedBy' as const },
    limit: 50,
  }))
  const answers = useQueries({
    queries: asked.map((input) => ({
      queryKey: keyOf('relations.list', input),
      queryFn: ({ signal }: { signal: AbortSignal }) => ask('relations.list', input, { signal }),
    })),
  })
  return waiting.flatMap((to, index) => {
    const found = answers[index]?.data as Output<'relations.list'> | undefined
    return (found?.items ?? []).flatMap(({ task_id, done }) => {
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

const OUT = 10

/** From the end of what is waited for to the beginning of what waits. */
export function Links({ rows, links, scale, height }: Props) {
  const ends = links.flatMap(({ from, to }) => {
    const [one, other] = [rows[from] as Task, rows[to] as Task]
    if (!one.days || !other.days) return []
    const [x, y] = [scale.x(one.days.to) + scale.width, (from + 0.5) * height]
    const [toX, toY] = [scale.x(other.days.from), (to + 0.5) * height]
    const half = (y + toY) / 2
    const way =
      toX > x + 2 * OUT
        ? `M${x} ${y}h${OUT}V${toY}H${toX}`
        : `M${x} ${y}h${OUT}V${half}H${toX - OUT}V${toY}H${toX}`
    return { key: `${one.key} ${other.key}`, way, isLate: one.days.to >= other.days.from, toX, toY }
  })
  if (!ends.length) return null
  return (
    <svg className="links" width={scale.total} height={rows.length * height} aria-hidden="true">
      {ends.map(({ key, way, isLate, toX, toY }) => (
        <g key={key} className={isLate ? 'late' : ''}>
          <path d={way} />
          <path className="head" d={`M${toX} ${toY}l-5 -3.5v7z`} />
        </g>
      ))}
    </svg>
  )
}
