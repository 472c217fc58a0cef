const MAX_KEY = 10

/** A board key from a name: the name itself if it is short, else the initials of its words. */
export function boardKey(name: string): string | undefined {
  const words = name
    .normalize('NFKD')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter(Boolean)
  const whole = words.join('').replace(/^\d+/, '')
  const initials = words
    .map((word) => word[0])
    .join('')
    .replace(/^\d+/, '')
  const key = whole.length > MAX_KEY && initials.length > 1 ? initials : whole
  return key.length > 1 ? key.slice(0, MAX_KEY) : undefined
}
