/** Makes names unique, regardless of case: `Name`, `Name (2)`, and shortens long ones. */
export function uniqueNames(maxLength: number): (name: string, fallback?: string) => string {
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  return (name, fallback = 'Untitled') => {
    const plain = shorten(name.replace(/\s+/g, ' ').trim() || fallback, maxLength)
    let unique = plain
    let count = counts.get(plain.toLowerCase()) ?? 1
    while (taken.has(unique.toLowerCase())) {
      count++
      const suffix = ` (${count})`
      unique = shorten(plain, maxLength - suffix.length) + suffix
    }
    counts.set(plain.toLowerCase(), count)
    taken.add(unique.toLowerCase())
    return unique
  }
}

export const shorten = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).trimEnd()}…`
