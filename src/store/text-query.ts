import { dialect } from './columns.ts'

/** Consecutive words; with `prefix`, the last one may be the beginning of a longer word. */
export interface Phrase {
  words: readonly string[]
  prefix: boolean
  /** A word of the index that matches like the phrase: a ticket key. */
  keyWord?: string
}

/**
 * Matches texts in any of `places` (everywhere if empty) that contain at least one phrase of each
 * group in `required` and none of `excluded`. `places` and `required` must not both be empty.
 */
export interface TextQuery {
  places: readonly string[]
  required: readonly (readonly Phrase[])[]
  excluded: readonly Phrase[]
}

/** PostgreSQL stores places among the words, marked by this prefix. */
export const PLACE_PREFIX = '/'

/** The query in the syntax of the engine. */
export const engineQuery = (query: TextQuery): string =>
  (dialect === 'postgres' ? toTsquery : toFts5)(query)

function toFts5({ places, required, excluded }: TextQuery): string {
  const phrase = ({ words, prefix, keyWord }: Phrase) => {
    const open = prefix ? ' *' : ''
    const text = `({head body} : "${words.join(' ')}"${open})`
    return keyWord ? `(place : "${keyWord}"${open}) OR ${text}` : text
  }
  const anyOf = (phrases: readonly Phrase[]) => `(${phrases.map(phrase).join(' OR ')})`
  const inPlaces = `(place : (${places.map((place) => `"${place}"`).join(' OR ')}))`
  const wanted = `(${[...(places.length ? [inPlaces] : []), ...required.map(anyOf)].join(' AND ')})`
  return excluded.length ? `${wanted} NOT ${anyOf(excluded)}` : wanted
}

function toTsquery({ places, required, excluded }: TextQuery): string {
  const text = ({ words, prefix }: Phrase) =>
    `(${words.map((word, at) => `'${word}'${prefix && at === words.length - 1 ? ':*' : ''}`).join(' <-> ')})`
  const anyOf = (phrases: readonly Phrase[]) => `(${phrases.map(phrase).join(' | ')})`
  const phrase = (item: Phrase) =>
    item.keyWord
      ? `('${PLACE_PREFIX}${item.keyWord}'${item.prefix ? ':*' : ''} | ${text(item)})`
      : text(item)
  const inPlaces = `(${places.map((place) => `'${PLACE_PREFIX}${place}'`).join(' | ')})`
  return [
    ...(places.length ? [inPlaces] : []),
    ...required.map(anyOf),
    ...excluded.map((item) => `!${phrase(item)}`),
  ].join(' & ')
}
