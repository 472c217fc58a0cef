/** A mark that is being typed before the cursor, such as `#bu`. */
export interface OpenMark {
  sign: '#' | '@'
  word: string
  from: number
  to: number
}

const OPEN = /(?:^|[\s(])([#@])([\p{L}\p{N}_][\p{L}\p{N}\p{M}_-]*)?$/u

export function openMarkIn(text: string, cursor: number): OpenMark | undefined {
  const match = OPEN.exec(text.slice(0, cursor))
  if (!match) return undefined
  const word = match[2] ?? ''
  return { sign: match[1] as '#' | '@', word, from: cursor - word.length - 1, to: cursor }
}

/** The text with the mark completed, and the position of the cursor after it. */
export function completeMark(text: string, { sign, from, to }: OpenMark, name: string) {
  const completed = `${sign}${name} `
  return {
    text: text.slice(0, from) + completed + text.slice(to).replace(/^ /, ''),
    cursor: from + completed.length,
  }
}
