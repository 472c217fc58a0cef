/** The colors of Kanboard by their ids: the border of a card, which is stronger than its fill. */
const COLORS: Readonly<Record<string, string>> = {
  yellow: '#dfe32d',
  blue: '#a8cfff',
  green: '#4ae371',
  purple: '#cd85fe',
  red: '#ff9797',
  orange: '#ffac62',
  grey: '#cccccc',
  brown: '#4e342e',
  deep_orange: '#e64a19',
  dark_grey: '#455a64',
  pink: '#d81b60',
  teal: '#00695c',
  cyan: '#00bcd4',
  lime: '#afb42b',
  light_green: '#689f38',
  amber: '#ffa000',
}

export const colorOf = (id: string): string | undefined => COLORS[id]

/** "Deep orange" for `deep_orange`; an export has names already. */
export function colorName(id: string): string {
  const name = id.replaceAll('_', ' ')
  return name.charAt(0).toUpperCase() + name.slice(1).toLowerCase()
}
