import { t } from '../../messages/t.ts'

/** The colors that the server assigns, readable on light and dark backgrounds. */
const COLORS = [
  ['Red', '#d14343'],
  ['Orange', '#c2571a'],
  ['Amber', '#a16a07'],
  ['Olive', '#5d7f11'],
  ['Green', '#2a8244'],
  ['Teal', '#0f7f76'],
  ['Cyan', '#0f7a9c'],
  ['Blue', '#2f6fd0'],
  ['Indigo', '#5a5fd6'],
  ['Violet', '#8250c8'],
  ['Magenta', '#b03fa8'],
  ['Pink', '#c43c74'],
] as const

export const colorName = (color: string): string =>
  COLORS.find(([, one]) => one === color)?.[0] ?? color

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
