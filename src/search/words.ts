/** One word of a text, as it is written and where. */
export interface Token {
  word: string
  start: number
  end: number
}

/** Scripts that put no spaces between words: each character is looked for by itself. */
export const UNSPACED =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}'
const WORD = new RegExp(`[${UNSPACED}]\\p{M}*|(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}])+`, 'gu')
const PLAIN_WORD = /[a-z0-9]+/g
export const isPlain = (text: string) => !/[^\0-\x7f]/.test(text)

/** No language has such words; what is longer is told by how it begins. */
const LONGEST = 60

/** The first `most` words of a text, folded and cut to their stem. */
export function tokensOf(text: string, most = Number.POSITIVE_INFINITY): Token[] {
  const isAscii = isPlain(text)
  const pattern = new RegExp(isAscii ? PLAIN_WORD : WORD)
  const read = isAscii ? text.toLowerCase() : text
  const tokens: Token[] = []
  for (let found = pattern.exec(read); found && tokens.length < most; found = pattern.exec(read)) {
    const [written] = found
    const word = stem(isAscii ? written : fold(written)).slice(0, LONGEST)
    const start = found.index
    // The s of a possessive is no word.
    const isEnding = word === 's' && /['’]/.test(text[start - 1] ?? '')
    if (word && !isEnding) tokens.push({ word, start, end: start + written.length })
  }
  return tokens
}

export const wordsOf = (text: string, most?: number): string[] =>
  tokensOf(text, most).map(({ word }) => word)

/** Letters that are no other letter with a mark, and what people write in their place. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ı: 'i',
}

/** Without case, and without the accents of Latin, Greek and Cyrillic. */
export function fold(text: string): string {
  if (isPlain(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[ßæœøđłı]/g, (letter) => LETTERS[letter]!)
}

/** One thing and several of it are one word: what is cut off are endings that many languages share. */
function stem(word: string): string {
  const isEnded = word.endsWith('s') || word.endsWith('y')
  if (!isEnded || word.length < 4 || !/^[a-z]+$/.test(word)) return word
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}i`
  if (!word.endsWith('s') || /(us|ss)$/.test(word)) return word
  if (/[^ae]ies$/.test(word)) return word.slice(0, -2)
  return word.slice(0, -1)
}
