/** A word, a phrase, or an operator with its values, as it stands in the box. */
export interface Part {
  start: number
  end: number
  not: boolean
  /** Of the operator; none: words. */
  name?: string
  /** What was typed after its colon, or the words, without the quotes. */
  text: string
  quoted: boolean
}

const PART = /(-)?(?:([A-Za-z_]+):)?(?:"([^"]*)(?:"|$)|([^\s"]+))/g
/** An operator whose value is still to come. */
const HALF = /^([A-Za-z_]+):$/

/** What was typed, cut as the server cuts it. */
export function partsOf(text: string): Part[] {
  return [...text.matchAll(PART)].map((found): Part => {
    const [whole, minus, name, phrase, bare = ''] = found
    const start = found.index
    const place = { start, end: start + whole.length, not: minus !== undefined }
    const quoted = phrase !== undefined
    // http://…, std::vector and 10:30 are words with a colon in them.
    if (name !== undefined && !quoted && /^[/:]/.test(bare))
      return { ...place, text: `${name}:${bare}`, quoted }
    const half = HALF.exec(bare)?.[1]
    if (name === undefined && half) return { ...place, name: half.toLowerCase(), text: '', quoted }
    return {
      ...place,
      ...(name !== undefined && { name: name.toLowerCase() }),
      text: phrase ?? bare,
      quoted,
    }
  })
}

export const partAt = (text: string, caret: number): Part | undefined =>
  partsOf(text).find(({ start, end }) => start < caret && caret <= end)

/** The operators of a query, as they stand in it. */
export const operatorsIn = (text: string) =>
  partsOf(text).filter((part): part is Part & { name: string } => part.name !== undefined)

/** The words that texts are looked through for; what is to be absent is not one of them. */
export const wordsIn = (text: string): string =>
  partsOf(text)
    .filter(({ name, not, text: word, quoted }) => !name && !not && (quoted || word !== 'OR'))
    .map(({ text: word, quoted }) => (quoted ? `"${word}"` : word))
    .join(' ')

/** A value as it is written: in quotes where a space or a comma would end it. */
export const spelled = (value: string) => (/[\s,"]/.test(value) ? `"${value}"` : value)

const tidy = (text: string) => text.replace(/\s+/g, ' ').trim()

export const without = (text: string, { start, end }: Pick<Part, 'start' | 'end'>) =>
  tidy(`${text.slice(0, start)} ${text.slice(end)}`)

/** The same whether it is there with quotes or without, in large letters or small. */
const isSame = (one: Part, written: string) => {
  const [other] = partsOf(written)
  return (
    other !== undefined &&
    one.name === other.name &&
    one.not === other.not &&
    one.text.toLowerCase() === other.text.toLowerCase()
  )
}

export const has = (text: string, written: string) =>
  partsOf(text).some((part) => isSame(part, written))

/** With an operator more, or without it. */
export function turned(text: string, written: string): string {
  const part = partsOf(text).find((one) => isSame(one, written))
  return part ? without(text, part) : tidy(`${text} ${written}`)
}

const DAY_MS = 24 * 60 * 60 * 1000
const SPAN = /^<(\d{1,4})([dwmy])$/
const DAYS: Record<string, number> = { d: 1, w: 7, m: 30, y: 365 }

function sinceOf(value: string): string | undefined {
  const [, many, unit] = SPAN.exec(value) ?? []
  const days =
    value === 'today' ? 1 : value === 'week' ? 7 : many ? Number(many) * DAYS[unit!]! : undefined
  return days === undefined
    ? undefined
    : new Date(Math.floor(Date.now() / DAY_MS - days + 1) * DAY_MS).toISOString()
}

interface Boards {
  boards: readonly { project_id: number; key: string; title: string }[]
}

/** What passages can be narrowed by, of what a query asks of tasks; and what they cannot. */
export function narrowing(text: string, { boards }: Boards) {
  const filters: { label?: string[]; section?: string; author?: string[]; updated_since?: string } =
    {}
  const left: string[] = []
  let project_id: number | undefined
  for (const { name, not, text: value, quoted, start, end } of operatorsIn(text)) {
    const values = quoted ? [value] : value.split(',').filter(Boolean)
    const since = name === 'updated' ? sinceOf(value.toLowerCase()) : undefined
    const board = boards.find(({ key, title }) =>
      [key, title].some((one) => one.toLowerCase() === value.toLowerCase()),
    )
    if (!not && name === 'label' && value !== 'none') filters.label = values
    else if (!not && name === 'section' && values.length === 1) filters.section = value
    else if (!not && name === 'by') filters.author = values
    else if (!not && name === 'board' && board) project_id = board.project_id
    else if (!not && since) filters.updated_since = since
    else left.push(text.slice(start, end))
  }
  return {
    ...(project_id !== undefined && { project_id }),
    ...(Object.keys(filters).length > 0 && { metadata_filters: filters }),
    left,
  }
}
