import { dialect } from './columns.ts'

/** Words that stand one after the other; the last may go on. */
export interface Phrase {
  words: readonly string[]
  prefix: boolean
  /** A place that counts as the phrase. */
  place?: string
}

/**
 * In any of the places, or anywhere where none is named and something is in `all`; of each of `all`,
 * any phrase; none of `none`.
 */
export interface Sought {
  places: readonly string[]
  all: readonly (readonly Phrase[])[]
  none: readonly Phrase[]
}

/** Before a place, among the words of a server. */
export const PLACE = '/'

/** The question in the engine's own language. */
export const questionOf = (sought: Sought): string =>
  (dialect === 'postgres' ? forServer : forFile)(sought)

function forFile({ places, all, none }: Sought): string {
  const phrase = ({ words, prefix, place }: Phrase) => {
    const open = prefix ? ' *' : ''
    const text = `({head body} : "${words.join(' ')}"${open})`
    return place ? `(place : "${place}"${open}) OR ${text}` : text
  }
  const any = (phrases: readonly Phrase[]) => `(${phrases.map(phrase).join(' OR ')})`
  const within = `(place : (${places.map((place) => `"${place}"`).join(' OR ')}))`
  const asked = `(${[...(places.length ? [within] : []), ...all.map(any)].join(' AND ')})`
  return none.length ? `${asked} NOT ${any(none)}` : asked
}

function forServer({ places, all, none }: Sought): string {
  const text = ({ words, prefix }: Phrase) =>
    `(${words.map((word, at) => `'${word}'${prefix && at === words.length - 1 ? ':*' : ''}`).join(' <-> ')})`
  const any = (phrases: readonly Phrase[]) => `(${phrases.map(phrase).join(' | ')})`
  const phrase = (one: Phrase) =>
    one.place ? `('${PLACE}${one.place}'${one.prefix ? ':*' : ''} | ${text(one)})` : text(one)
  const within = `(${places.map((place) => `'${PLACE}${place}'`).join(' | ')})`
  return [
    ...(places.length ? [within] : []),
    ...all.map(any),
    ...none.map((one) => `!${phrase(one)}`),
  ].join(' & ')
}
