import { t } from '../../messages/t.ts'

/** The colors that the server assigns, readable on light and dark backgrounds. */
export const COLORS = [
  [t('board.color_red'), '#d14343'],
  [t('board.color_orange'), '#c2571a'],
  [t('board.color_amber'), '#a16a07'],
  [t('board.color_olive'), '#5d7f11'],
  [t('board.color_green'), '#2a8244'],
  [t('board.color_teal'), '#0f7f76'],
  [t('board.color_cyan'), '#0f7a9c'],
  [t('board.color_blue'), '#2f6fd0'],
  [t('board.color_indigo'), '#5a5fd6'],
  [t('board.color_violet'), '#8250c8'],
  [t('board.color_magenta'), '#b03fa8'],
  [t('board.color_pink'), '#c43c74'],
] as const

export const colorName = (color: string): string =>
  COLORS.find(([, one]) => one === color)?.[0] ?? color
