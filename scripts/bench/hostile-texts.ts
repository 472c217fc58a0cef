import { seededRandom } from './random.ts'

const MEGABYTE = 1_048_576
/** The pieces of texts that parsers, sanitizers and converters may be slow at. */
const ATOMS = [
  ...['‹', '<', '>', '&', '"', "'", '`', '*', '_', '~', '|', '[', ']', '(', '!', '#', '-', '\\'],
  ...['<b>', '</b>', '<p>', '</p>', '<ul><li>', '<table><tr><td>', '<a href=x>', '<!--', '-->'],
  ...['<br>', '<pre>', '<code>', '<div', ' a=b', '="', '&lt;', '&#60;', '&nbsp;', '<details>'],
  ...['**a', '*a_', '[a](b)', '![a](b)', '[a][b]', '[a]: b\n', '`a', '~~a', '<https://a.b>'],
  ...[
    '> ',
    '- ',
    '1. ',
    '  ',
    '\n',
    '\n\n',
    '| a | b |\n| - | - |\n',
    '# a\n',
    '```\n',
    'www.a.b ',
  ],
  ...['@a ', 'https://a.b/c ', 'a@b.c ', 'word ', '漢', '👍', 'á', 'é', '\t', 'x'.repeat(200)],
]

export interface Text {
  text: string
  isMarkdown: boolean
}

const textOf = (atoms: readonly string[], length: number) => {
  const pattern = atoms.join('')
  return pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length)
}

/** Searches for the texts that take longest: random ones first, then variants of the slowest. */
export async function findSlowTexts(
  measure: (text: Text) => Promise<number>,
  { seconds, count }: { seconds: number; count: number },
): Promise<Text[]> {
  const random = seededRandom(19)
  const atom = () => ATOMS[random.below(ATOMS.length)]!
  const slowest: { atoms: string[]; text: Text; ms: number }[] = []
  const deadline = performance.now() + seconds * 1000
  while (performance.now() < deadline) {
    const original =
      slowest.length >= count && random.below(2) ? slowest[random.below(slowest.length)] : undefined
    const atoms = original
      ? original.atoms.toSpliced(random.below(original.atoms.length), 1, atom())
      : [atom()]
    while (atoms.length < 6 && random.below(2)) atoms.push(atom())
    const text = {
      text: textOf(atoms, MEGABYTE >> random.below(4)),
      isMarkdown: random.below(2) === 0,
    }
    slowest.push({ atoms, text, ms: await measure(text) })
    slowest.sort((a, b) => b.ms - a.ms)
    slowest.splice(count)
  }
  return slowest.map(({ text }) => text)
}

/** Texts that are known to be slow, whatever the search finds. */
export const KNOWN_SLOW_TEXTS: Text[] = [
  '‹',
  '> ',
  '<',
  '|a|b\n|-|-\n',
  '**a*',
  '&',
  '1. ',
  '<b>x</b>',
]
  .map((atom) => textOf([atom], MEGABYTE - 1))
  .flatMap((text) => [true, false].map((isMarkdown) => ({ text, isMarkdown })))
