/** A normalized word of a text and its position there. */
export interface Token {
  word: string
  start: number
  end: number
}

/** Scripts without spaces between words. Each of their characters counts as a word. */
export const UNSPACED =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}'
const EMOJI = '[\\p{Extended_Pictographic}\\p{Regional_Indicator}]'
/** The presentation of an emoji, and the frame of a key, are no words. */
const VARIANTS = '\\ufe0f\\u20e3'
const WORD = new RegExp(
  `[${UNSPACED}]\\p{M}*|${EMOJI}|(?:(?![${UNSPACED}${VARIANTS}])[\\p{L}\\p{M}\\p{N}])+`,
  'gu',
)
const IS_EMOJI = new RegExp(`^${EMOJI}`, 'u')
const PLAIN_WORD = /[a-z0-9]+/g
export const isPlain = (text: string) => !/[^\0-\x7f]/.test(text)

/** Longer words are truncated. */
const MAX_LENGTH = 60

/** The first `limit` words of a text, folded and reduced to their stems. */
export function tokensOf(text: string, limit = Number.POSITIVE_INFINITY): Token[] {
  const isAscii = isPlain(text)
  const pattern = new RegExp(isAscii ? PLAIN_WORD : WORD)
  const input = isAscii ? text.toLowerCase() : text
  const tokens: Token[] = []
  for (
    let match = pattern.exec(input);
    match && tokens.length < limit;
    match = pattern.exec(input)
  ) {
    const [raw] = match
    const isEmoji = !isAscii && IS_EMOJI.test(raw)
    const word = isEmoji ? emojiWord(raw) : stem(isAscii ? raw : fold(raw)).slice(0, MAX_LENGTH)
    const start = match.index
    // The s of a possessive is not a word.
    const isEnding = word === 's' && /['’]/.test(text[start - 1] ?? '')
    if (word && !isEnding) tokens.push({ word, start, end: start + raw.length })
  }
  return tokens
}

export const wordsOf = (text: string, limit?: number): string[] =>
  isPlain(text) && !text.includes("'")
    ? plainWordsOf(text, limit)
    : tokensOf(text, limit).map(({ word }) => word)

/** The same for a text in which every word is a match. Positions would take most of the time. */
const plainWordsOf = (text: string, limit?: number): string[] =>
  (text.toLowerCase().match(PLAIN_WORD) ?? [])
    .slice(0, limit)
    .map((word) => stem(word).slice(0, MAX_LENGTH))

/** An emoji as letters and digits, because the text index knows no others. */
const emojiWord = (emoji: string) => `ˑ${emoji.codePointAt(0)!.toString(36)}`

/** Letters that do not decompose into a base letter and an accent, with their usual spelling. */
const REPLACEMENTS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ı: 'i',
}

/** Removes case and the accents of Latin, Greek and Cyrillic letters. */
export function fold(text: string): string {
  if (isPlain(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[ßæœøđłı]/g, (letter) => REPLACEMENTS[letter]!)
}

/** Removes plural endings that many languages share, so that singular and plural match. */
function stem(word: string): string {
  const hasEnding = word.endsWith('s') || word.endsWith('y')
  if (!hasEnding || word.length < 4 || !/^[a-z]+$/.test(word)) return word
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}i`
  if (!word.endsWith('s') || /(us|ss)$/.test(word)) return word
  if (/[^ae]ies$/.test(word)) return word.slice(0, -2)
  return word.slice(0, -1)
}
