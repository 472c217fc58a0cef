import { randomSource } from '../search/random-passages.ts'

const WORDS = [
  ...['entries', 'entry', 'every', 'everyday', 'printers', 'printerless', 'classes', 'status'],
  ...['series', 'policies', 'policy', 'ties', 'die', 'movie', 'movies', 'cookie', 'days', 'stay'],
  ...['thesaurus', 'boss', 'its', 'a', 'I', 'of', 'The', 'bus', 'buses', 'yes', 'why', 'sky'],
  ...["Ada's", 'isn’t', 'x-ray', 'ABC-12', 'OPS-1', 'v2.3', '1.2.3', 'node.js', 'C++', '2026', '7'],
  ...['fooBarBaz', 'snake_case', 'README.md', 'HTMLElement', 'utf8', 'i18n', 'k8s', 'B2B'],
  ...['Café', 'Łódź', 'Straße', 'Übermäßige', 'naïve', 'œuvre', 'Ærø', 'Ёлки', 'Ωμέγα', 'ıf'],
  ...['東京タワー', '係留ロープ', '한국어', '검색', 'เชือกผูกเรือ', 'हिन्दी', 'حبل', 'الإرساء'],
  ...['🧵', '⚓️', '👩‍💻', '👍🏽', '🇩🇪', '🎈party', '1️⃣', 'Corkboard®'],
]
const SEPARATORS = [' ', ' ', ' ', ' ', ', ', '/', '.', ' & ', '–', '(']

/** Titles of one to six words of many kinds, always the same. */
export function generatedTitles(count: number): string[] {
  const { below } = randomSource(42)
  const pick = (list: readonly string[]) => list[below(list.length)]!
  return Array.from({ length: count }, () => {
    let title = pick(WORDS)
    for (let words = below(6); words > 0; words--) title += pick(SEPARATORS) + pick(WORDS)
    return title
  })
}
