/** Longer names are refused by common file systems. The limit is in bytes. */
const MAX_NAME = 200

/** As Backlog.md names its files. The id in front keeps every name valid, on Windows too. */
export function fileName(id: string, title: string): string {
  const words = title
    .toWellFormed()
    .replace(/[<>:"/\\|?*\p{C}]/gu, '-')
    .replace(/['(),!@#$%^&+=[\]{};]/g, '')
    .replace(/\s+/g, '-')
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '')
  const name = `${id.toLowerCase()} - ${words || 'task'}`
  return `${truncate(name).replace(/[-. ]+$/, '')}.md`
}

function truncate(name: string): string {
  const bytes = new TextEncoder().encode(name)
  if (bytes.length <= MAX_NAME) return name
  // The decoder leaves out a character that is cut.
  return new TextDecoder().decode(bytes.slice(0, MAX_NAME), { stream: true })
}
