import type { Passage, PassageQuery } from '../../kernel/services.ts'
import { profileOf, similarity, type WordWeight } from '../ranking/similarity.ts'
import { Corpus, type LiveSegment } from '../segments/corpus.ts'
import { hashOf } from '../words/terms.ts'

/**
 * The weights of words on one board. Only that board counts, so the score of a passage tells nothing
 * about others.
 */
export function wordWeights(segments: readonly LiveSegment[]): WordWeight {
  const corpus = new Corpus(segments)
  const common = Math.log(1 + corpus.size)
  return (stem) => 0.3 + corpus.rarity(hashOf(stem)) / Math.max(1, common)
}

/** Replaces the scores of passages by how similar they are to the text of the question. */
export function comparePassages(
  { text, minScore = 0 }: PassageQuery,
  passages: readonly Passage[],
  weightsOf: (project: number) => WordWeight,
): Passage[] {
  const end = text.indexOf('\n')
  const [title, body] = end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)]
  const questions = new Map<number, ReturnType<typeof profileOf>>()
  const compared = passages.map((passage) => {
    const { project_id, headings } = passage
    const weightOf = weightsOf(project_id)
    const question = questions.get(project_id) ?? profileOf(title, body, weightOf)
    questions.set(project_id, question)
    const profile = profileOf(headings[0] ?? '', passage.text, weightOf)
    return { ...passage, score: similarity(question, profile) }
  })
  return compared.filter(({ score }) => score >= minScore)
}
