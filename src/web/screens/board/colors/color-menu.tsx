import { Icon } from '../../../kit/icon.tsx'
import { Menu } from '../../../kit/menu.tsx'
import { t } from '../../../messages/t.ts'
import './colors.css'
import { COLOR_KINDS, type ColorKind } from './model.ts'
import type { TaskColors } from './use-task-colors.ts'

const NAMES: Record<ColorKind, string> = {
  column: t('common.column'),
  label: t('common.label'),
  assignee: t('board.person'),
  priority: t('common.priority'),
}

/** More would not fit beside the other controls. */
const MAX_ENTRIES = 8

/** What the colors mean, and the menu that changes it. */
export const ColorMenu = ({ kind, choose, legend }: TaskColors) => (
  <>
    <ul className="color-legend" aria-label={t('board.colours')}>
      {legend.slice(0, MAX_ENTRIES).map(({ name, color }) => (
        <li key={`${color} ${name}`}>
          <span className="dot" style={{ background: color }} />
          <span dir="auto">{name}</span>
        </li>
      ))}
    </ul>
    <Menu
      label={t('board.colour_by')}
      groups={[
        COLOR_KINDS.map((one) => ({
          ...{ name: NAMES[one], checked: one === kind },
          run: () => choose(one),
        })),
      ]}
      trigger={
        <button type="button" className="button quiet color-menu">
          <span className="minor">{t('board.colour')}</span> {NAMES[kind]}
          <Icon name="chevron" />
        </button>
      }
    />
  </>
)
