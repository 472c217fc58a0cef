interface Piece {
  text: string
  /** Where in the line it stood. */
  from: number
}

/** A backslash keeps a mark, and quotes keep words, from meaning anything. */
export function kept(line: string, { text, from }: Piece): string {
  const near = line.indexOf(text, from)
  const at = near < 0 ? line.indexOf(text) : near
  if (at < 0) return line
  const literal = /^[#!@]/.test(text) ? `\\${text}` : `"${text}"`
  return line.slice(0, at) + literal + line.slice(at + text.length)
}
