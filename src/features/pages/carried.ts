import { type Chain, piecesOf } from './rules.ts'
import { applied, type Step, sizeOf, stepsBack } from './steps.ts'
import { chained } from './write.ts'

/** A version from elsewhere, and how the text before it is made of its own. */
interface Came {
  content_type: 'html' | 'markdown'
  canvas: boolean
  back: readonly Step[] | null
}

type Clean = (text: string, version: Came) => string

/**
 * What is written of a text whose history comes from elsewhere, the newest version first. Every text
 * of it is cleaned as if somebody had typed it.
 */
export function carried(newest: string, came: readonly Came[], clean: Clean) {
  const backs = cleanedSteps(newest, came, clean)
  const text = came[0] ? clean(newest, came[0]) : newest
  const lengths = [text.length]
  for (const back of backs.slice(0, -1)) {
    const { kept, gone } = sizeOf(back ?? [])
    lengths.push(kept + gone)
  }
  let chain: Chain = { chain_steps: 0, chain_size: 0 }
  const isWhole = new Set<number>()
  for (let at = came.length - 2; at >= 0; at--) {
    chain = chained(chain, backs[at]!, lengths[at]!)
    if (chain.chain_steps === 0) isWhole.add(at)
  }
  let now = text
  const versions = backs.map((back, at) => {
    const { kept, gone } = sizeOf(back ?? [])
    const length = lengths[at]!
    const whole = isWhole.has(at) ? now : null
    if (back) now = applied(back, now)
    return { back, whole, length, added: length - kept, removed: gone }
  })
  return { ...chain, length: text.length, pieces: piecesOf(text), versions }
}

/** The steps between the cleaned texts: nearly always those that came. */
function cleanedSteps(newest: string, came: readonly Came[], clean: Clean): (Step[] | null)[] {
  let raw = newest
  let text = came[0] ? clean(raw, came[0]) : raw
  return came.map(({ back }, at) => {
    const older = came[at + 1]
    if (!back || !older) return null
    const before = applied(back, raw)
    const cleaned = clean(before, older)
    const same = text === raw && cleaned === before
    const steps = same ? [...back] : stepsBack(cleaned, text)
    raw = before
    text = cleaned
    return steps
  })
}
