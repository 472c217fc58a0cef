import type { Cost } from './agent.ts'

/** A task, and what it took. */
export interface Row extends Cost {
  name: string
  missed?: string
}

const HEAD = ['| task | calls | result tokens | refused |', '|---|--:|--:|--:|']

/** Ids and times make a few tokens more or less each time, so those are told in tens. */
export function tableOf(rows: readonly Row[]): string {
  const told = rows.map((row) => ({ ...row, tokens: Math.round(row.tokens / 10) * 10 }))
  const all = { name: 'all together', calls: 0, tokens: 0, errors: 0 }
  for (const { calls, tokens, errors } of told) {
    all.calls += calls
    all.tokens += tokens
    all.errors += errors
  }
  const lines = [...told, all].map(
    ({ name, calls, tokens, errors }) => `| ${name} | ${calls} | ${tokens} | ${errors} |`,
  )
  return [...HEAD, ...lines].join('\n')
}

/** The rows of the table in a text, without the last one, which adds them up. */
export function rowsIn(text: string): Row[] {
  const lines = text.slice(text.indexOf(HEAD[0]!)).split('\n').slice(2)
  const end = lines.findIndex((line) => !line.startsWith('|'))
  return lines.slice(0, end - 1).map((line) => {
    const [name = '', calls, tokens, errors] = line
      .split('|')
      .slice(1, -1)
      .map((one) => one.trim())
    return { name, calls: Number(calls), tokens: Number(tokens), errors: Number(errors) }
  })
}

/** A fifth part of a short answer may be ids; of most it is little. */
const TOLERANCE = 0.1
const LEAST = 30

/** What a table says otherwise than was counted now, in words. */
export function differences(told: readonly Row[], counted: readonly Row[]): string[] {
  const names = (rows: readonly Row[]) => rows.map(({ name }) => name).join('\n')
  if (names(told) !== names(counted)) return ['The table has other tasks than the battery']
  return counted.flatMap(({ name, calls, tokens, errors }, at) => {
    const was = told[at]!
    const off = Math.abs(tokens - was.tokens) > Math.max(LEAST, was.tokens * TOLERANCE)
    if (calls === was.calls && errors === was.errors && !off) return []
    const now = [calls, tokens, errors].join(' | ')
    return [`${name}: ${now}, not ${[was.calls, was.tokens, was.errors].join(' | ')}`]
  })
}

/** The text with another table in the place of the one it has. */
export function withTable(text: string, rows: readonly Row[]): string {
  const from = text.indexOf(HEAD[0]!)
  const rest = /\n(?!\|)/.exec(text.slice(from))
  if (from < 0 || !rest) throw new Error('There is no table of the battery in this text')
  return text.slice(0, from) + tableOf(rows) + text.slice(from + rest.index)
}
