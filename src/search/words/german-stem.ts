/** Words of German texts that are not English words. */
const GERMAN = new Set(
  (
    'auf aus bei das dem der eine einem einen einer fur ich ist mit nach nicht oder sich sind und ' +
    'uber vom von vor werden wie wir wird wurde zu zum zur'
  ).split(' '),
)

const MAX_GERMAN = 5

/** Whether at least two of the common words of German are among these folded words. */
export function isGerman(words: Iterable<{ word: string }>): boolean {
  let first: string | undefined
  for (const { word } of words) {
    if (word.length > MAX_GERMAN || !GERMAN.has(word) || word === first) continue
    if (first) return true
    first = word
  }
  return false
}

const REGION = /^.*?[aeiouy][^aeiouy]/
/** The part of a word that is never an ending has at least three letters. */
const MIN_REGION = 3
const ENDINGS = [/(?:ern|e[mnrs]|e|(?<=[bdfghklmnrt])s)$/, /(?:est|en|er|(?<=.{3}[bdfghklmnt])st)$/]

/** The stem of a folded German word, by the inflectional endings of Snowball. */
export function germanStem(word: string): string {
  const region = Math.max(MIN_REGION, REGION.exec(word)?.[0].length ?? word.length)
  return ENDINGS.reduce((stem, ending) => {
    const at = stem.search(ending)
    return at >= region ? stem.slice(0, at) : stem
  }, word)
}
