/** The colors of Trello’s labels by name. A suffix makes them lighter or darker. */
const COLORS: Readonly<Record<string, string>> = {
  green: '#4bce97',
  green_light: '#baf3db',
  green_dark: '#1f845a',
  yellow: '#f5cd47',
  yellow_light: '#f8e6a0',
  yellow_dark: '#946f00',
  orange: '#fea362',
  orange_light: '#fedec8',
  orange_dark: '#c25100',
  red: '#f87168',
  red_light: '#ffd5d2',
  red_dark: '#c9372c',
  purple: '#9f8fef',
  purple_light: '#dfd8fd',
  purple_dark: '#6e5dc6',
  blue: '#579dff',
  blue_light: '#cce0ff',
  blue_dark: '#0c66e4',
  sky: '#6cc3e0',
  sky_light: '#c6edfb',
  sky_dark: '#227d9b',
  lime: '#94c748',
  lime_light: '#d3f1a7',
  lime_dark: '#5b7f24',
  pink: '#e774bb',
  pink_light: '#fdd0ec',
  pink_dark: '#ae4787',
  black: '#8590a2',
  black_light: '#dcdfe4',
  black_dark: '#626f86',
}

export const colorOf = (name: string): string | undefined => COLORS[name]

/** "dark green" for `green_dark`. */
export const colorName = (name: string): string => name.split('_').reverse().join(' ')
