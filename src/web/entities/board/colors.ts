/** The colors that the server assigns, readable on light and dark backgrounds. */
export const COLORS = [
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
