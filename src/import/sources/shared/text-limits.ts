const MAX_TITLE = 500
const MAX_TEXT = 1_048_576

type Lose = (what: string, why: string) => void

/** Cuts a text after so many characters, but not within a surrogate pair. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const end = /[\uD800-\uDBFF]/.test(text[length - 2]!) ? length - 2 : length - 1
  return `${text.slice(0, end)}…`
}

export function cutText(text: string, name: string, lose: Lose): string {
  if (text.length > MAX_TEXT) lose(name, 'Only the first 1,048,576 characters are imported')
  return cut(text, MAX_TEXT)
}

/** A title on one line. The full text of one that is too long goes to the top of `sections`. */
export function titleOf(text: string, sections: string[]): string {
  const title = text.replace(/\s+/g, ' ').trim()
  if (title.length > MAX_TITLE) sections.unshift(title)
  return cut(title, MAX_TITLE) || 'Untitled'
}

/** Makes ids unique by a suffix, in the order of the file. */
export function uniqueIds(): (id: string) => string {
  const counts = new Map<string, number>()
  return (id) => {
    const base = cut(id, 480)
    const count = (counts.get(base) ?? 0) + 1
    counts.set(base, count)
    return count === 1 ? base : `${base} (${count})`
  }
}
