import { chance } from './words.ts'

const MEGABYTE = 1_048_576
/** What parsers, sanitizers and converters are slow at. */
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
  markdown: boolean
}

const textOf = (atoms: readonly string[], letters: number) => {
  const pattern = atoms.join('')
  return pattern.repeat(Math.ceil(letters / pattern.length)).slice(0, letters)
}

/** Searches for the texts that keep a server busy longest: at random first, then near the worst. */
export async function worstTexts(
  cost: (text: Text) => Promise<number>,
  { seconds, most }: { seconds: number; most: number },
): Promise<Text[]> {
  const dice = chance(19)
  const atom = () => ATOMS[dice.below(ATOMS.length)]!
  const found: { atoms: string[]; text: Text; ms: number }[] = []
  const ends = performance.now() + seconds * 1000
  while (performance.now() < ends) {
    const near = found.length >= most && dice.below(2) ? found[dice.below(found.length)] : undefined
    const atoms = near ? near.atoms.toSpliced(dice.below(near.atoms.length), 1, atom()) : [atom()]
    while (atoms.length < 6 && dice.below(2)) atoms.push(atom())
    const text = { text: textOf(atoms, MEGABYTE >> dice.below(4)), markdown: dice.below(2) === 0 }
    found.push({ atoms, text, ms: await cost(text) })
    found.sort((a, b) => b.ms - a.ms)
    found.splice(most)
  }
  return found.map(({ text }) => text)
}

/** What was found to be bad by hand, whatever the search finds. */
export const knownBad: Text[] = ['‹', '> ', '<', '|a|b\n|-|-\n', '**a*', '&', '1. ', '<b>x</b>']
  .map((atom) => textOf([atom], MEGABYTE - 1))
  .flatMap((text) => [true, false].map((markdown) => ({ text, markdown })))
