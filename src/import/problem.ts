export interface Location {
  file?: string
  /** From 1. */
  line?: number
  column?: number
  /** The name or path of a field. */
  field?: string
}

/** Why files cannot be imported, where, and what to do about it. */
export class ImportProblem extends Error {
  constructor(
    readonly problem: string,
    readonly remedy: string,
    readonly at: Location = {},
  ) {
    super(`${describeLocation(at)}${problem}. ${remedy}`)
  }
}

function describeLocation({ file, line, column, field }: Location): string {
  const parts = [
    file,
    line === undefined ? '' : `line ${line}`,
    column === undefined ? '' : `column ${column}`,
    field === undefined ? '' : `field ${field}`,
  ].filter(Boolean)
  return parts.length ? `${parts.join(', ')}: ` : ''
}
