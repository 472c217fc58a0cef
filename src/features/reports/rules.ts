const MOST_LETTERS = 80

/** A title as it stands in an address: plain letters, digits, and hyphens between them. */
export function slugOf(title: string): string {
  const plain = title
    .normalize('NFKD')
    .replace(/ß/g, 'ss')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MOST_LETTERS)
    .replace(/^-+|-+$/g, '')
  return plain || 'report'
}

/** The slug itself, or the first number after it that is free. */
export function freeSlug(stem: string, taken: ReadonlySet<string>): string {
  if (!taken.has(stem)) return stem
  for (let number = 2; ; number++) if (!taken.has(`${stem}-${number}`)) return `${stem}-${number}`
}
