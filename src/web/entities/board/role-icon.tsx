import { Icon } from '../../kit/icon.tsx'
import { t } from '../../messages/t.ts'
import type { Section } from './data.ts'

type Role = Section['role']

export const ROLE_NAMES: Record<Role, string> = {
  intake: t('common.role_intake'),
  committed: t('common.role_committed'),
  building: t('common.in_progress'),
  verify: t('common.role_verify'),
  done: t('common.done'),
}

const ROLE_COLORS: Record<Role, string> = {
  intake: 'var(--edge)',
  committed: 'var(--soft)',
  building: 'var(--wait)',
  verify: 'var(--live)',
  done: 'var(--done)',
}

/** A clock face that fills as the work advances. */
const FACES: Record<Role, string> = {
  intake: '',
  committed: '',
  building: 'M8 5a3 3 0 0 1 0 6z',
  verify: 'M8 5a3 3 0 1 1-3 3h3z',
  done: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6',
}

/** The color of a column: the chosen one, otherwise the color of its role. */
export const columnColor = ({ color, role, done }: Pick<Section, 'color' | 'role' | 'done'>) =>
  color ?? ROLE_COLORS[done ? 'done' : role]

/** The role of a column as an icon in the color of the column. */
export function RoleIcon({ column }: { column: Pick<Section, 'color' | 'role' | 'done'> }) {
  const { role, done } = column
  return (
    <span className="role" style={{ color: columnColor(column) }} title={ROLE_NAMES[role]}>
      {done ? (
        <Icon name="done" label={t('common.counts_as_done')} />
      ) : (
        <svg
          className="icon"
          viewBox="0 0 16 16"
          width="16"
          height="16"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          role="img"
          aria-label={ROLE_NAMES[role]}
        >
          <circle
            cx="8"
            cy="8"
            r="5.5"
            strokeDasharray={role === 'intake' ? '2.2 2.12' : undefined}
          />
          {FACES[role] && <path d={FACES[role]} fill="currentColor" stroke="none" />}
        </svg>
      )}
    </span>
  )
}
