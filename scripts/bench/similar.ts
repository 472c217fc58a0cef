import { wordWeights } from '../../src/search/passage-index/comparison.ts'
import { profileOf, similarity } from '../../src/search/ranking/similarity.ts'
import { buildSegment } from '../../src/search/segments/segment.ts'
import { termsOf } from '../../src/search/words/terms.ts'
import type { Row } from './report.ts'
import { spreadOf } from './sample.ts'
import { similarityCases, type TaskText } from './similar-pairs.ts'

const THRESHOLD = 0.6
const NO_TERMS = new Uint32Array()

/** How well the score of similar tasks tells reworded tasks from others, on a board of all of them. */
export const similar = (): Promise<Row[]> =>
  Promise.resolve((['odd', 'even'] as const).flatMap(rowsOf))

function rowsOf(half: 'odd' | 'even'): Row[] {
  const { texts, pairs, others } = similarityCases(half)
  const weightOf = wordWeights([{ segment: boardOf(texts), isDeleted: () => false }])
  const profile = ({ title, text }: TaskText) => profileOf(title, text, weightOf)
  const isSimilar = ([a, b]: [TaskText, TaskText]) =>
    similarity(profile(a), profile(b)) >= THRESHOLD
  const found = pairs.filter(isSimilar).length
  const wrong = others.filter(isSimilar).length
  const where = `${half} half, ${pairs.length} pairs, ${others.length} others`
  const row = (name: string, value: number, min: number): Row => ({
    ...{ group: 'similar', measurement: `${name} of similar tasks, ${where}`, unit: '%' },
    ...{ figure: spreadOf([value * 100]), target: { min } },
    note: `${found} found, ${wrong} wrong`,
  })
  return [
    row('precision', found / Math.max(1, found + wrong), 90),
    row('recall', found / pairs.length, 60),
  ]
}

const boardOf = (texts: readonly TaskText[]) =>
  buildSegment(
    texts.map(({ title, text }, id) => ({
      ...{ id, source: id, title: termsOf(title), headings: NO_TERMS, body: termsOf(text) },
    })),
  )
