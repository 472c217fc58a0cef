import { cut } from './task-limits.ts'

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

/** A name for people from one for programs: `estimated_hours` becomes "Estimated hours". */
export function wordsOf(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, (_, before: string, after: string) => `${before} ${after}`)
    .replace(/[_\-\s]+/g, ' ')
    .trim()
  const isCode = /^[A-Z\d ]+$/.test(words)
  return isCode ? words : words.charAt(0).toUpperCase() + words.slice(1).toLowerCase()
}

/** Adds a suffix to an id that is already taken. */
export function uniqueId(id: string, taken: { has(id: string): boolean }): string {
  if (!taken.has(id)) return id
  let number = 2
  while (taken.has(`${id}~${number}`)) number++
  return `${id}~${number}`
}

/** The file name at the end of an address. */
export function fileNameOf(url: string): string {
  const last = url.split(/[?#]/)[0]!.split('/').findLast(Boolean) ?? ''
  try {
    return cut(decodeURIComponent(last), 255) || 'file'
  } catch {
    return cut(last, 255)
  }
}
