import { type Chain, piecesOf } from './rules.ts'
import { applySteps, type Step, sizeOf, stepsBack } from './steps.ts'
import { nextChain } from './write.ts'

/** An imported version. `back` are the steps from its text to the text of the version before. */
interface ImportedVersion {
  content_type: 'html' | 'markdown'
  canvas: boolean
  back: readonly Step[] | null
}

type Clean = (text: string, version: ImportedVersion) => string

/**
 * Returns the rows to write for a text with an imported history, newest version first. Every text
 * of the history is cleaned like one from a request.
 */
export function historyFromImport(
  newest: string,
  imported: readonly ImportedVersion[],
  clean: Clean,
) {
  const backSteps = cleanedSteps(newest, imported, clean)
  const text = imported[0] ? clean(newest, imported[0]) : newest
  const lengths = [text.length]
  for (const back of backSteps.slice(0, -1)) {
    const { shared, removed } = sizeOf(back ?? [])
    lengths.push(shared + removed)
  }
  let chain: Chain = { chain_steps: 0, chain_size: 0 }
  const wholeIndexes = new Set<number>()
  for (let index = imported.length - 2; index >= 0; index--) {
    chain = nextChain(chain, backSteps[index]!, lengths[index]!)
    if (chain.chain_steps === 0) wholeIndexes.add(index)
  }
  let current = text
  const versions = backSteps.map((back, index) => {
    const { shared, removed } = sizeOf(back ?? [])
    const length = lengths[index]!
    const whole = wholeIndexes.has(index) ? current : null
    if (back) current = applySteps(back, current)
    return { back, whole, length, added: length - shared, removed }
  })
  return { ...chain, length: text.length, pieces: piecesOf(text), versions }
}

/**
 * Returns the steps between the cleaned texts. If cleaning changed nothing, they are the imported
 * ones.
 */
function cleanedSteps(
  newest: string,
  imported: readonly ImportedVersion[],
  clean: Clean,
): (Step[] | null)[] {
  let raw = newest
  let text = imported[0] ? clean(raw, imported[0]) : raw
  return imported.map(({ back }, index) => {
    const older = imported[index + 1]
    if (!back || !older) return null
    const before = applySteps(back, raw)
    const cleaned = clean(before, older)
    const isSame = text === raw && cleaned === before
    const steps = isSame ? [...back] : stepsBack(cleaned, text)
    raw = before
    text = cleaned
    return steps
  })
}
