import { t } from '../../messages/t.ts'
import { COLORS } from './colors.ts'

/** A dot in a color, or a ring for none. */
export const ColorDot = ({ color }: { color: string | null }) =>
  color ? <span className="dot" style={{ background: color }} /> : <span className="dot none" />

const choice = (name: string, value: string | null) => ({
  ...{ value, name, mark: <ColorDot color={value} /> },
})

/** The choices of a picker for a color; the current one is offered even if it is a custom color. */
export const colorChoices = (current: string | null, allowsNone: boolean) => [
  ...(allowsNone ? [choice(t('common.no_colour'), null)] : []),
  ...COLORS.map(([name, color]) => choice(name, color)),
  ...(current && !COLORS.some(([, color]) => color === current)
    ? [choice(t('common.current_colour', { color: current }), current)]
    : []),
]
