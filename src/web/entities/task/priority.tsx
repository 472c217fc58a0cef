import { t } from '../../messages/t.ts'

const HEIGHTS = [4, 7, 10]

/** Three bars that show the priority; urgent has a mark of its own. */
export function Priority({ value }: { value: number }) {
  const name = PRIORITIES[value]!
  if (value === 1)
    return (
      <svg className="icon urgent" viewBox="0 0 16 16" width="16" height="16" role="img">
        <title>{name}</title>
        <rect x="2" y="2" width="12" height="12" rx="3" fill="currentColor" />
        <path
          d="M8 4.8v4M8 11.2h.01"
          stroke="var(--card)"
          strokeWidth="1.8"
          strokeLinecap="round"
        />
      </svg>
    )
  return (
    <svg className="icon" viewBox="0 0 16 16" width="16" height="16" role="img">
      <title>{value ? name : t('task.no_priority')}</title>
      {HEIGHTS.map((height, at) => (
        <rect
          key={height}
          x={2.5 + at * 4}
          y={13 - (value ? height : 2)}
          width="3"
          height={value ? height : 2}
          rx="1"
          fill="currentColor"
          opacity={value && at < 5 - value ? 1 : 0.28}
        />
      ))}
    </svg>
  )
}

export const PRIORITIES = [
  t('common.none'),
  t('task.urgent'),
  t('task.high'),
  t('task.medium'),
  t('task.low'),
] as const
