interface Piece {
  text: string
  /** The offset where it stood. */
  from: number
}

/**
 * Escapes a part of the title so that it is not parsed: a backslash before a mark, quotes around
 * words.
 */
export function escapeInTitle(line: string, { text, from }: Piece): string {
  const nearby = line.indexOf(text, from)
  const position = nearby < 0 ? line.indexOf(text) : nearby
  if (position < 0) return line
  const literal = /^[#!@~]/.test(text) ? `\\${text}` : `"${text}"`
  return line.slice(0, position) + literal + line.slice(position + text.length)
}
