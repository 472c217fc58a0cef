/** A token of the query: a word, a phrase, or an operator with its value. */
export interface Part {
  start: number
  end: number
  not: boolean
  /** The operator's name; undefined for words. */
  name?: string
  /** The operator's value or the word, without quotes. */
  text: string
  quoted: boolean
}

const PART_PATTERN = /(-)?(?:([A-Za-z_]+):)?(?:"([^"]*)(?:"|$)|([^\s"]+))/g
/** An operator without a value yet. */
const OPERATOR_PREFIX = /^([A-Za-z_]+):$/

/** Tokenizes a query as the server does. */
export function partsOf(text: string): Part[] {
  return [...text.matchAll(PART_PATTERN)].map((match): Part => {
    const [source, minus, name, phrase, bare = ''] = match
    const start = match.index
    const position = { start, end: start + source.length, not: minus !== undefined }
    const quoted = phrase !== undefined
    // http://…, std::vector and 10:30 are words with a colon in them.
    if (name !== undefined && !quoted && /^[/:]/.test(bare))
      return { ...position, text: `${name}:${bare}`, quoted }
    const operator = OPERATOR_PREFIX.exec(bare)?.[1]
    if (name === undefined && operator)
      return { ...position, name: operator.toLowerCase(), text: '', quoted }
    return {
      ...position,
      ...(name !== undefined && { name: name.toLowerCase() }),
      text: phrase ?? bare,
      quoted,
    }
  })
}

export const partAt = (text: string, caret: number): Part | undefined =>
  partsOf(text).find(({ start, end }) => start < caret && caret <= end)

/** The operators of a query, in order. */
export const operatorsIn = (text: string) =>
  partsOf(text).filter((part): part is Part & { name: string } => part.name !== undefined)

/** The words to search texts for; excluded words are left out. */
export const wordsIn = (text: string): string =>
  partsOf(text)
    .filter(({ name, not, text: word, quoted }) => !name && !not && (quoted || word !== 'OR'))
    .map(({ text: word, quoted }) => (quoted ? `"${word}"` : word))
    .join(' ')

/** Quotes a value if it contains spaces, commas or quotes. */
export const quoteValue = (value: string) => (/[\s,"]/.test(value) ? `"${value}"` : value)

const collapseSpaces = (text: string) => text.replace(/\s+/g, ' ').trim()

export const withoutPart = (text: string, { start, end }: Pick<Part, 'start' | 'end'>) =>
  collapseSpaces(`${text.slice(0, start)} ${text.slice(end)}`)

/** Compares tokens regardless of quotes and case. */
const isSame = (part: Part, token: string) => {
  const [tokenPart] = partsOf(token)
  return (
    tokenPart !== undefined &&
    part.name === tokenPart.name &&
    part.not === tokenPart.not &&
    part.text.toLowerCase() === tokenPart.text.toLowerCase()
  )
}

export const hasToken = (text: string, token: string) =>
  partsOf(text).some((part) => isSame(part, token))

/** Adds an operator to the query, or removes it. */
export function toggleToken(text: string, token: string): string {
  const part = partsOf(text).find((candidate) => isSame(candidate, token))
  return part ? withoutPart(text, part) : collapseSpaces(`${text} ${token}`)
}
