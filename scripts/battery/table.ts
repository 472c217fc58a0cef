import type { Cost } from './agent.ts'

/** A task and its cost. */
export interface Row extends Cost {
  name: string
  /** Why the task failed, if it did. */
  failure?: string
}

const HEAD = ['| task | calls | result tokens | refused |', '|---|--:|--:|--:|']

/** Renders the table. Tokens are rounded to tens, because ids and times vary by a few tokens. */
export function tableOf(rows: readonly Row[]): string {
  const rounded = rows.map((row) => ({ ...row, tokens: Math.round(row.tokens / 10) * 10 }))
  const total = { name: 'total', calls: 0, tokens: 0, errors: 0 }
  for (const { calls, tokens, errors } of rounded) {
    total.calls += calls
    total.tokens += tokens
    total.errors += errors
  }
  const lines = [...rounded, total].map(
    ({ name, calls, tokens, errors }) => `| ${name} | ${calls} | ${tokens} | ${errors} |`,
  )
  return [...HEAD, ...lines].join('\n')
}

/** Parses the rows of the table in a text, without the total. */
export function rowsIn(text: string): Row[] {
  const lines = text.slice(text.indexOf(HEAD[0]!)).split('\n').slice(2)
  const end = lines.findIndex((line) => !line.startsWith('|'))
  return lines.slice(0, end - 1).map((line) => {
    const [name = '', calls, tokens, errors] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
    return { name, calls: Number(calls), tokens: Number(tokens), errors: Number(errors) }
  })
}

/** Allowed differences. In short results, ids may be a fifth of the tokens. */
const TOLERANCE = 0.1
const MIN_DIFFERENCE = 30

/** Describes the differences between a documented table and the current counts. */
export function differences(documented: readonly Row[], counted: readonly Row[]): string[] {
  const names = (rows: readonly Row[]) => rows.map(({ name }) => name).join('\n')
  if (names(documented) !== names(counted))
    return ['The table does not list the same tasks as the battery']
  return counted.flatMap(({ name, calls, tokens, errors }, at) => {
    const previous = documented[at]!
    const isOff =
      Math.abs(tokens - previous.tokens) > Math.max(MIN_DIFFERENCE, previous.tokens * TOLERANCE)
    if (calls === previous.calls && errors === previous.errors && !isOff) return []
    const current = [calls, tokens, errors].join(' | ')
    return [
      `${name}: ${current}, not ${[previous.calls, previous.tokens, previous.errors].join(' | ')}`,
    ]
  })
}

/** Replaces the table in a text. */
export function withTable(text: string, rows: readonly Row[]): string {
  const from = text.indexOf(HEAD[0]!)
  const rest = /\n(?!\|)/.exec(text.slice(from))
  if (from < 0 || !rest) throw new Error('There is no table of the battery in this text')
  return text.slice(0, from) + tableOf(rows) + text.slice(from + rest.index)
}
