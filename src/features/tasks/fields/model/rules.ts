/** The values of the small task fields and their meaning. Pure functions: no clock, no database. */
export const PRIORITIES = ['None', 'Urgent', 'High', 'Medium', 'Low'] as const
export const SIZES = ['none', undefined, 'XS', 'S', 'M', 'L', 'XL'] as const
/** The number of a choice, from its number or its name in any case. */
export function choiceNumber(
  names: readonly (string | undefined)[],
  value: number | string,
): number | undefined {
  if (typeof value === 'number') return names[value] === undefined ? undefined : value
  const word = value.trim().toLowerCase()
  const index = names.findIndex((name) => name?.toLowerCase() === word)
  return index < 0 ? undefined : index
}

export const priorityNumber = (value: number | string) => choiceNumber(PRIORITIES, value)

export const priorityName = (priority: number) => PRIORITIES[priority] ?? 'None'
export const sizeOf = (estimate: number): string | undefined => SIZES[estimate]
