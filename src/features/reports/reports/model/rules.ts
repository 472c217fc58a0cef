const MAX_SLUG_LENGTH = 80

/** Turns a title into a slug of ASCII letters, digits and single hyphens. */
export function slugify(title: string): string {
  const slug = title
    .normalize('NFKD')
    .replace(/ß/g, 'ss')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/^-+|-+$/g, '')
  return slug || 'report'
}

/** Returns the slug itself, or the slug with the first free number appended. */
export function freeSlug(stem: string, taken: ReadonlySet<string>): string {
  if (!taken.has(stem)) return stem
  for (let number = 2; ; number++) if (!taken.has(`${stem}-${number}`)) return `${stem}-${number}`
}
